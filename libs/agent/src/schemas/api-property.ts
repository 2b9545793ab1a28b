import 'reflect-metadata';
import type { JsonSchema } from '@nestor/core';
import type { DtoClass } from './dto-class.js';
import { enumValues } from './validator-keywords.js';

/** What `@ApiProperty()` of @nestjs/swagger says of a property. */
export type ApiProperty = Readonly<Record<string, unknown>>;

/** The key of @nestjs/swagger: read here so that the package is no dependency. */
const API_PROPERTY = 'swagger/apiModelProperties';

/** Words of documentation. The rest (`required`, `$ref`, `selfRequired` ...) belongs to OpenAPI; validators know better. */
const FALLBACKS = [
  'default',
  'deprecated',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
];
const TYPES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
]);
const TYPE_NAMES = ['string', 'number', 'integer', 'boolean', 'object'];

export function apiPropertyOf(type: DtoClass, property: string): ApiProperty {
  const found: unknown = Reflect.getMetadata(API_PROPERTY, type.prototype as object, property);
  return typeof found === 'object' && found !== null ? (found as ApiProperty) : {};
}

/** The type `@ApiProperty({ type })` declares, if it is one that needs no more said. */
export function declaredType({ type, isArray }: ApiProperty): JsonSchema | undefined {
  const [declared, many] = Array.isArray(type) ? [type[0] as unknown, true] : [type, isArray === true];
  const named = typeof declared === 'string' && TYPE_NAMES.includes(declared) ? declared : undefined;
  const name = TYPES.get(declared) ?? named;
  if (name === undefined) return undefined;
  return many ? { type: 'array', items: { type: name } } : { type: name };
}

/** The schema with what its documentation adds; where both speak, the validators are right, but for the words. */
export function documented(schema: JsonSchema, api: ApiProperty): JsonSchema {
  const added: Record<string, unknown> = {};
  for (const keyword of FALLBACKS) {
    if (api[keyword] !== undefined && !(keyword in schema)) added[keyword] = api[keyword];
  }
  for (const keyword of ['title', 'format']) {
    if (typeof api[keyword] === 'string') added[keyword] = api[keyword];
  }
  const description = [api['description'], schema['description']].filter((text) => text).join(' ');
  const examples = Array.isArray(api['examples']) ? api['examples'] : [api['example']];
  if (description) added['description'] = description;
  if (examples[0] !== undefined) added['examples'] = examples;
  // Strict providers refuse a reference with anything beside it.
  const isBesideReference = '$ref' in schema && Object.keys(added).length > 0;
  return withEnum({ ...(isBesideReference ? { anyOf: [schema] } : schema), ...added }, api);
}

function withEnum(schema: JsonSchema, api: ApiProperty): JsonSchema {
  const items = schema['items'] as JsonSchema | undefined;
  const values = enumValues(api['enum'] ?? (api['items'] as ApiProperty | undefined)?.['enum']);
  if (values.length === 0) return schema;
  if (items) return 'enum' in items ? schema : { ...schema, items: { ...items, enum: values } };
  return 'enum' in schema ? schema : { ...schema, enum: values };
}
