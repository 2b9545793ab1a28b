import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { JsonSchema } from './json-schema.js';
import { resolveLocalRef } from './local-ref.js';
import { thrownMessage } from './tool-error.js';

/** How far references and combinators are followed to learn what the root is. */
const DEPTH_LIMIT = 16;

/**
 * A frozen copy as providers take it for parameters: `type: 'object'` and `properties` at the root, no `$schema`.
 * Everything else stays as it was written.
 * @throws InvalidSchemaException if the root is no object, or the schema is not plain JSON.
 */
export function objectSchema(schema: JsonSchema, where: string): JsonSchema {
  const copy = jsonCopy(schema, where);
  if (!describesObject(copy, copy, 0)) {
    throw new InvalidSchemaException({
      where,
      problem: `its root must describe an object, not ${describeRoot(copy)}`,
      remedy:
        'Give { type: "object", properties: { ... } }, e.g. z.object({ value: ... }) round a single value.',
    });
  }
  const { $schema: _, type: _type, properties = {}, ...rest } = copy;
  return Object.freeze({ type: 'object', properties, ...rest });
}

function jsonCopy(schema: JsonSchema, where: string): Record<string, unknown> {
  try {
    return deepFreeze(JSON.parse(JSON.stringify(schema)) as Record<string, unknown>);
  } catch (cause) {
    throw new InvalidSchemaException({
      where,
      problem: `it is not plain JSON (${thrownMessage(cause)})`,
      remedy: 'Write cycles with $ref and leave out everything that JSON cannot hold.',
      cause,
    });
  }
}

function describesObject(node: unknown, root: JsonSchema, depth: number): boolean {
  if (!isSchemaObject(node) || depth > DEPTH_LIMIT) return false;
  if (node['type'] !== undefined) {
    return node['type'] === 'object' || (Array.isArray(node['type']) && node['type'].includes('object'));
  }
  const within = (part: unknown): boolean => describesObject(part, root, depth + 1);
  if (typeof node['$ref'] === 'string') return within(resolveLocalRef(node['$ref'], root));
  if (isFilled(node['anyOf'])) return node['anyOf'].every(within);
  if (isFilled(node['oneOf'])) return node['oneOf'].every(within);
  return isFilled(node['allOf']) && node['allOf'].some(within);
}

function isFilled(branches: unknown): branches is readonly unknown[] {
  return Array.isArray(branches) && branches.length > 0;
}

function isSchemaObject(node: unknown): node is JsonSchema {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function describeRoot({ type, ...rest }: JsonSchema): string {
  if (type !== undefined) return `type ${JSON.stringify(type)}`;
  const keywords = Object.keys(rest).filter((keyword) => keyword !== '$schema');
  return keywords.length > 0
    ? `a schema of ${keywords.join(', ')} without a type`
    : 'a schema that says nothing';
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value) as unknown[]) {
    if (typeof part === 'object' && part !== null) deepFreeze(part);
  }
  return Object.freeze(value);
}
