import type { JsonSchema } from '../../operators/json-schema.js';

/** The properties of an object's schema, as far as they are listed. */
export function schemaProperties({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return typeof properties === 'object' && properties !== null
    ? (properties as Readonly<Record<string, unknown>>)
    : {};
}

export function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
