import type { JsonSchema } from '../../operators/json-schema.js';
import { isSchemaObject, mapSubschemas, type SchemaNode } from './schema-nodes.js';

/** Keywords strict mode knows nothing of and that cannot be left out without changing what is allowed. */
const NEVER_STRICT = [
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'prefixItems',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'unevaluatedItems',
];

class NotStrict extends Error {}

/**
 * The schema as strict mode wants it: every property required, optional ones nullable, every object closed.
 * `undefined` if it cannot be said so (open objects, `allOf`, tuples ...); send it non-strict then.
 */
export function toStrictSchema(schema: JsonSchema): JsonSchema | undefined {
  if (!isObjectSchema(schema)) return undefined;
  try {
    return strict({ properties: {}, ...schema });
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

function strict(schema: JsonSchema): JsonSchema {
  if (NEVER_STRICT.some((keyword) => keyword in schema)) throw new NotStrict();
  const { default: _, oneOf, ...rest } = schema;
  const mapped = mapSubschemas(oneOf === undefined ? rest : { ...rest, anyOf: oneOf }, strict);
  if (!isObjectSchema(mapped)) return mapped;
  const { properties } = mapped;
  const open = mapped['additionalProperties'] ?? !isSchemaObject(properties);
  if (open !== false) throw new NotStrict();
  const required = new Set(requiredOf(mapped));
  const entries = Object.entries(isSchemaObject(properties) ? properties : {});
  return {
    ...mapped,
    properties: Object.fromEntries(
      entries.map(([name, node]) => [name, required.has(name) ? node : nullable(node as SchemaNode)]),
    ),
    required: entries.map(([name]) => name),
    additionalProperties: false,
  };
}

function nullable(node: SchemaNode): SchemaNode {
  if (typeof node === 'boolean' || acceptsNull(node)) return node;
  const { type, anyOf } = node;
  if (Array.isArray(anyOf)) return { ...node, anyOf: [...anyOf, { type: 'null' }] };
  if (type === undefined || 'const' in node || '$ref' in node) return { anyOf: [node, { type: 'null' }] };
  return {
    ...node,
    type: [...new Set([type, 'null'].flat())],
    ...(Array.isArray(node['enum']) && { enum: [...node['enum'], null] }),
  };
}

/** Whether `null` fits, as far as the node itself tells. */
function acceptsNull(node: SchemaNode): boolean {
  if (typeof node === 'boolean') return node;
  const { type, anyOf, oneOf } = node;
  if (Array.isArray(node['enum'])) return node['enum'].includes(null);
  if ('const' in node) return node['const'] === null;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.some(acceptsNull);
  return type === undefined ? !('$ref' in node) : [type].flat().includes('null');
}

/**
 * Undoes what strict mode makes a model send: a `null` for an optional property that does not allow null is left out.
 * @param schema the tool's own schema, not the strict one.
 * @returns the same value if there is nothing to drop.
 */
export function dropNullsOfOptional(value: unknown, schema: JsonSchema): unknown {
  return dropNulls(value, schema, schema);
}

function dropNulls(value: unknown, node: unknown, root: JsonSchema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = branchFor(value, node, root);
  if (!schema) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => dropNulls(item, schema['items'], root));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  const required = requiredOf(schema);
  let changed = false;
  const entries = Object.entries(value).flatMap(([name, field]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (field === null && property !== undefined && !required.includes(name) && !allowsNull(property, root)) {
      changed = true;
      return [];
    }
    const kept = dropNulls(field, property, root);
    changed ||= kept !== field;
    return [[name, kept] as const];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function allowsNull(property: unknown, root: JsonSchema): boolean {
  const node = resolve(property, root);
  return typeof node === 'boolean' ? node : node !== undefined && acceptsNull(node);
}

/** The schema that speaks about a value: references followed, of alternatives the first whose required fields are there. */
function branchFor(value: object, node: unknown, root: JsonSchema): JsonSchema | undefined {
  const schema = resolve(node, root);
  if (!isSchemaObject(schema)) return undefined;
  const branches = schema['anyOf'] ?? schema['oneOf'];
  if (!Array.isArray(branches)) return schema;
  for (const branch of branches) {
    const candidate = branchFor(value, branch, root);
    if (candidate && fits(value, candidate)) return candidate;
  }
  return undefined;
}

function fits(value: object, schema: JsonSchema): boolean {
  if (Array.isArray(value)) return schema['type'] === 'array';
  if (!isObjectSchema(schema)) return false;
  const fields = value as Readonly<Record<string, unknown>>; // arrays are excluded above
  const properties = isSchemaObject(schema['properties']) ? schema['properties'] : {};
  return (
    requiredOf(schema).every((name) => Object.hasOwn(fields, name)) &&
    Object.entries(properties).every(
      ([name, node]) => !isSchemaObject(node) || !('const' in node) || node['const'] === fields[name],
    )
  );
}

function resolve(node: unknown, root: JsonSchema): SchemaNode | undefined {
  let current = node;
  for (let hops = 0; hops < 16 && isSchemaObject(current) && typeof current['$ref'] === 'string'; hops++) {
    current = current['$ref']
      .replace(/^#\/?/, '')
      .split('/')
      .filter(Boolean)
      .reduce<unknown>(
        (at, step) => (isSchemaObject(at) ? at[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
        root,
      );
  }
  return isSchemaObject(current) || typeof current === 'boolean' ? current : undefined;
}

function isObjectSchema(schema: JsonSchema): boolean {
  return [schema['type']].flat().includes('object') || isSchemaObject(schema['properties']);
}

function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
