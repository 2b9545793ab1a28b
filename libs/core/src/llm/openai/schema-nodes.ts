import type { JsonSchema } from '../../operators/json-schema.js';

/** A place in a schema: an object, or `true`/`false` for anything/nothing. */
export type SchemaNode = JsonSchema | boolean;

/** Keywords by what their value holds. A property that is merely called like a keyword is never taken for one. */
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'];
const SINGLES = [
  'items',
  'additionalItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
];

export function isSchemaObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of a schema object whose subschemas went through `map`; boolean ones and unknown keywords stay as they are. */
export function mapSubschemas(schema: JsonSchema, map: (subschema: JsonSchema) => JsonSchema): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  const visit = (value: unknown): unknown => (isSchemaObject(value) ? map(value) : value);
  for (const keyword of MAPS) {
    const value = schema[keyword];
    if (!isSchemaObject(value)) continue;
    copy[keyword] = Object.fromEntries(Object.entries(value).map(([name, node]) => [name, visit(node)]));
  }
  for (const keyword of LISTS) {
    const value = schema[keyword];
    if (Array.isArray(value)) copy[keyword] = value.map(visit);
  }
  for (const keyword of SINGLES) {
    const value = schema[keyword];
    if (isSchemaObject(value)) copy[keyword] = map(value);
  }
  return copy;
}
