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

function isObjectSchema(schema: JsonSchema): boolean {
  return [schema['type']].flat().includes('object') || isSchemaObject(schema['properties']);
}

function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
