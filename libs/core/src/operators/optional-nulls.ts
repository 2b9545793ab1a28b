import type { JsonSchema } from './json-schema.js';
import { resolveLocalRef } from './local-ref.js';

/** Where in a value a null stands for "not given". Cyclic where the schema is. */
interface NullPlan {
  /** Properties that may be left out and may not be null. */
  readonly optional: string[];
  readonly properties: (readonly [name: string, plan: NullPlan])[];
  items: NullPlan | undefined;
}

type Drop = (value: unknown) => unknown;

const UNCHANGED: Drop = (value) => value;

/**
 * Makes the function that takes a null for an optional property as "not given": in strict mode a model must send
 * every property. Nulls stay where the schema allows or requires the property. The value given is not changed: what
 * changes is copied. The schema is read once; one without optional properties costs nothing per call.
 */
export function optionalNullDropper(schema: JsonSchema): Drop {
  const plans = new Map<object, NullPlan>();
  const plan = planOf(schema, schema, plans);
  const hasOptional = [...plans.values()].some(({ optional }) => optional.length > 0);
  return plan && hasOptional ? (value) => drop(value, plan) : UNCHANGED;
}

function planOf(schema: unknown, root: JsonSchema, plans: Map<object, NullPlan>): NullPlan | undefined {
  const node = target(schema, root);
  if (!node) return undefined;
  const known = plans.get(node);
  if (known) return known;
  const plan: NullPlan = { optional: [], properties: [], items: undefined };
  plans.set(node, plan);
  const required: ReadonlySet<unknown> = new Set(Array.isArray(node['required']) ? node['required'] : []);
  for (const [name, property] of Object.entries(isNode(node['properties']) ? node['properties'] : {})) {
    if (!required.has(name) && !allowsNull(property, root, 0)) plan.optional.push(name);
    const inner = planOf(property, root, plans);
    if (inner) plan.properties.push([name, inner]);
  }
  plan.items = planOf(node['items'], root, plans);
  return plan;
}

/** The object or array schema behind references and behind `X or null`; `undefined` for all that ends here. */
function target(schema: unknown, root: JsonSchema): JsonSchema | undefined {
  let node = schema;
  for (let hop = 0; hop < 16 && isNode(node); hop++) {
    if (isNode(node['properties']) || isNode(node['items'])) return node;
    if (typeof node['$ref'] === 'string') node = resolveLocalRef(node['$ref'], root);
    else node = onlyOther(node['anyOf'] ?? node['oneOf']);
  }
  return undefined;
}

function onlyOther(branches: unknown): unknown {
  if (!Array.isArray(branches)) return undefined;
  const others: unknown[] = branches.filter((branch) => !(isNode(branch) && branch['type'] === 'null'));
  return others.length === 1 ? others[0] : undefined;
}

/** False only where null is surely refused: a null that might mean something is kept. */
function allowsNull(schema: unknown, root: JsonSchema, depth: number): boolean {
  if (!isNode(schema) || depth > 16 || schema['nullable'] === true) return schema !== false;
  const { type, enum: values, anyOf, oneOf, allOf, $ref } = schema;
  const within = (part: unknown): boolean => allowsNull(part, root, depth + 1);
  if (type !== undefined && !(type === 'null' || (Array.isArray(type) && type.includes('null'))))
    return false;
  if (Array.isArray(values) && !values.includes(null)) return false;
  if ('const' in schema && schema['const'] !== null) return false;
  if (Array.isArray(anyOf) && !anyOf.some(within)) return false;
  if (Array.isArray(oneOf) && !oneOf.some(within)) return false;
  if (Array.isArray(allOf) && !allOf.every(within)) return false;
  return typeof $ref !== 'string' || within(resolveLocalRef($ref, root));
}

function drop(value: unknown, plan: NullPlan): unknown {
  if (Array.isArray(value)) return plan.items ? dropInItems(value, plan.items) : value;
  if (!isNode(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name of plan.optional) {
    if (value[name] === null) delete (copy ??= { ...value })[name];
  }
  for (const [name, inner] of plan.properties) {
    const before = value[name];
    if (typeof before !== 'object' || before === null) continue;
    const after = drop(before, inner);
    if (after !== before) (copy ??= { ...value })[name] = after;
  }
  return copy ?? value;
}

function dropInItems(items: readonly unknown[], plan: NullPlan): unknown {
  let copy: unknown[] | undefined;
  items.forEach((item, index) => {
    const after = drop(item, plan);
    if (after !== item) (copy ??= [...items])[index] = after;
  });
  return copy ?? items;
}

function isNode(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
