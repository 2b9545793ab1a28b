import type { Argument, ArgumentUsage } from '../language/argument-usage.js';
import { requiredOf, schemaProperties } from '../language/checks/schema-properties.js';
import type { JsonSchema } from '../operators/json-schema.js';

/** Where definitions stand that properties refer to. */
const DEFINITIONS = ['$defs', 'definitions'];

/**
 * The arguments of a tool as the model is shown them. What the operator's schema says of a field goes for the argument
 * that feeds it, else for the one of its name; an argument that nothing is known of is a required string.
 */
export function toolParameters(usage: ArgumentUsage, operator: JsonSchema | null): JsonSchema {
  const known = new KnownFields(operator);
  if (usage.whole) return wholeParameters(usage, known, operator);
  const definitions = DEFINITIONS.filter((name) => operator?.[name] !== undefined);
  return Object.freeze({
    ...known.object(usage, (name, argument) => known.fieldOf(argument, name), false),
    ...Object.fromEntries(definitions.map((name) => [name, operator?.[name]])),
  });
}

/** All arguments are passed on: the operator's own schema, and what else is used. */
function wholeParameters(usage: ArgumentUsage, known: KnownFields, operator: JsonSchema | null): JsonSchema {
  const others = new Map([...usage.fields].filter(([name]) => !known.has(name)));
  const { required = [], ...added } = known.object({ whole: true, fields: others }, () => undefined, true);
  if (!operator) return Object.freeze({ ...added, ...(required.length > 0 && { required }) });
  const all = [...requiredOf(operator), ...required];
  return Object.freeze({
    ...operator,
    properties: { ...schemaProperties(operator), ...added.properties },
    ...(all.length > 0 && { required: all }),
  });
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

class KnownFields {
  readonly #properties: Readonly<Record<string, unknown>>;
  readonly #required: ReadonlySet<string>;

  constructor(operator: JsonSchema | null) {
    this.#properties = operator ? schemaProperties(operator) : {};
    this.#required = new Set(operator ? requiredOf(operator) : []);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#properties, name);
  }

  /** The operator's field that tells what an argument is. */
  fieldOf({ feeds }: Argument, name?: string): string | undefined {
    return [feeds, name].find((field) => field !== undefined && this.has(field));
  }

  object(
    { fields }: ArgumentUsage,
    fieldOf: (name: string, argument: Argument) => string | undefined,
    open: boolean,
  ): ObjectSchema {
    const properties: [string, unknown][] = [];
    const required: string[] = [];
    for (const [name, argument] of fields) {
      const field = fieldOf(name, argument);
      properties.push([name, field === undefined ? this.#guess(argument, open) : this.#properties[field]]);
      if (!argument.optional && (field === undefined || this.#required.has(field))) required.push(name);
    }
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: open,
    };
  }

  /**
   * What the uses of an argument tell.
   * @param open true if what it stands in is passed on as it is
   */
  #guess(argument: Argument, open: boolean, unknown: JsonSchema = { type: 'string' }): JsonSchema {
    const isOpen = open || argument.whole;
    const types = new Set(argument.type ? [argument.type] : []);
    if (argument.element) types.add('array');
    if (isObject(argument)) types.add('object');
    const [type, other] = types;
    if (type === undefined) return unknown;
    if (other !== undefined || type === 'any') return {};
    if (type === 'array') return { type, items: this.#element(argument, isOpen) };
    return isObject(argument) ? this.object(argument, (_, inner) => this.fieldOf(inner), isOpen) : { type };
  }

  #element({ element }: Argument, open: boolean): unknown {
    if (!element) return {};
    const field = this.fieldOf(element);
    return field === undefined ? this.#guess(element, open, {}) : this.#properties[field];
  }
}

/** True if fields of it are read. Texts and lists have a `length` and a `size`, which alone tell of no object. */
function isObject({ fields }: ArgumentUsage): boolean {
  return [...fields].some(
    ([name, field]) => (name !== 'length' && name !== 'size') || field.fields.size > 0 || field.element,
  );
}
