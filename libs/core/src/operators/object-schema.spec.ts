import { describe, expect, it } from 'vitest';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { JsonSchema } from './json-schema.js';
import { objectSchema } from './object-schema.js';

const made = (schema: JsonSchema): JsonSchema => objectSchema(schema, 'operator "x"');

describe('objectSchema', () => {
  it('takes $schema away and copies the rest, frozen', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { a: { type: 'array', items: { $ref: '#/$defs/b' } } },
      $defs: { b: { type: 'string' } },
    };
    const json = made(schema);
    expect(json).toEqual({ type: 'object', properties: schema.properties, $defs: schema.$defs });
    expect(Object.isFrozen(json)).toBe(true);
    expect(Object.isFrozen((json['properties'] as typeof schema.properties).a.items)).toBe(true);
    expect(Object.isFrozen(schema.properties)).toBe(false);
  });

  it('B100: has properties even where there are none', () => {
    expect(made({ type: 'object' })).toEqual({ type: 'object', properties: {} });
  });

  it('B75: keeps combinators at the root and gives them a type', () => {
    const a = { type: 'object', properties: { a: { type: 'string' } } };
    const b = { type: 'object', properties: { b: { type: 'string' } } };
    expect(made({ anyOf: [a, b] })).toEqual({ type: 'object', properties: {}, anyOf: [a, b] });
    expect(made({ type: 'object', oneOf: [a, b] })).toEqual({
      type: 'object',
      properties: {},
      oneOf: [a, b],
    });
    expect(made({ allOf: [a, { required: ['a'] }] })).toMatchObject({ type: 'object' });
    expect(made({ $ref: '#/$defs/a', $defs: { a } })).toMatchObject({ type: 'object', $ref: '#/$defs/a' });
    expect(made({ type: ['object', 'null'] })).toMatchObject({ type: 'object' });
  });

  it('B104: passes boolean nodes', () => {
    const properties = { any: true, none: false, list: { type: 'array', items: true } };
    const json = made({ type: 'object', properties, additionalProperties: true });
    expect(json).toEqual({ type: 'object', properties, additionalProperties: true });
  });

  it.each<[JsonSchema, string]>([
    [{ type: 'string' }, 'type "string"'],
    [{ $schema: 'x' }, 'a schema that says nothing'],
    [{ properties: {} }, 'a schema of properties without a type'],
    [{ anyOf: [{ type: 'object' }, { type: 'string' }] }, 'a schema of anyOf without a type'],
    [{ anyOf: [] }, 'a schema of anyOf without a type'],
    [{ $ref: '#' }, 'a schema of $ref without a type'],
    [{ $ref: 'http://x.test/a.json' }, 'a schema of $ref without a type'],
  ])('refuses %j', (schema, found) => {
    expect(() => made(schema)).toThrow(InvalidSchemaException);
    expect(() => made(schema)).toThrow(
      `The schema of operator "x" cannot be used: its root must describe an object, not ${found}. Give {`,
    );
  });

  it('refuses what is not plain JSON', () => {
    const circular: Record<string, unknown> = { type: 'object' };
    circular['properties'] = { self: circular };
    expect(() => made(circular)).toThrow(/it is not plain JSON .*\$ref/s);
    let deep: JsonSchema = {};
    for (let level = 0; level < 5_000; level++) deep = { type: 'object', properties: { deep } };
    expect(() => made(deep)).toThrow(InvalidSchemaException);
  });
});
