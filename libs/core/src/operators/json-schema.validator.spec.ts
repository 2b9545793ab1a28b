import { describe, expect, it } from 'vitest';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { InputIssue } from './input-schema.js';
import type { JsonSchema } from './json-schema.js';
import { jsonSchemaCheck, lenientJsonSchemaCheck } from './json-schema.validator.js';

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';

const check = (schema: JsonSchema, declared?: string) => jsonSchemaCheck(schema, declared, 'operator "x"');
const issuesOf = (schema: JsonSchema, value: unknown): readonly InputIssue[] => {
  const result = check(schema)(value);
  return result.ok ? [] : result.issues;
};

describe('jsonSchemaCheck', () => {
  const order: JsonSchema = {
    type: 'object',
    required: ['items'],
    additionalProperties: false,
    properties: {
      size: { enum: ['s', 'm'] },
      kind: { const: 'order' },
      items: {
        type: 'array',
        items: { type: 'object', required: ['price'], properties: { price: { type: 'number' } } },
      },
      'x-id': { type: 'string', minLength: 2 },
    },
  };

  it('accepts what fits', () => {
    const value = { items: [{ price: 1 }] };
    expect(check(order)(value)).toEqual({ ok: true, value });
  });

  it('tells the path and the reason of each problem', () => {
    const value = { size: 'xl', kind: 'x', items: [{ price: 1 }, {}, { price: '2' }], 'x-id': '', extra: 1 };
    expect(issuesOf(order, value)).toEqual(
      expect.arrayContaining([
        { path: 'size', message: 'must be one of ["s","m"]' },
        { path: 'kind', message: 'must be "order"' },
        { path: 'items[1].price', message: 'is required' },
        { path: 'items[2].price', message: 'must be number' },
        { path: '["x-id"]', message: 'must NOT have fewer than 2 characters' },
        { path: 'extra', message: 'is not a known property' },
      ]),
    );
    expect(issuesOf({ type: 'object', unevaluatedProperties: false }, { 'a/b~c': 1 })).toEqual([
      { path: '["a/b~c"]', message: 'is not a known property' },
    ]);
    expect(issuesOf(order, 5)).toEqual([{ path: '', message: 'must be object' }]);
  });

  it('reports ten problems at most', () => {
    const items = Array.from({ length: 1_000 }, () => ({}));
    expect(issuesOf(order, { items })).toHaveLength(10);
  });

  it('fills in defaults and converts nothing', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', default: 3 }, t: { type: 'string' } },
    };
    expect(check(schema)({ t: 'x' })).toEqual({ ok: true, value: { n: 3, t: 'x' } });
    expect(issuesOf(schema, { n: '3' })).toEqual([{ path: 'n', message: 'must be integer' }]);
  });

  it('reads draft 7 and 2020-12', () => {
    const pair = [{ type: 'string' }, { type: 'number' }];
    const tuple7 = { type: 'object', properties: { p: { type: 'array', items: pair } } };
    const tuple2020 = { type: 'object', properties: { p: { type: 'array', prefixItems: pair } } };
    for (const good of [check(tuple7), check(tuple7, DRAFT_7), check(tuple2020)]) {
      expect(good({ p: ['a', 1] }).ok).toBe(true);
      expect(good({ p: [1, 'a'] }).ok).toBe(false);
    }
    expect(() => check(tuple7, 'https://json-schema.org/draft/2020-12/schema')).toThrow(
      InvalidSchemaException,
    );
  });

  it('ignores formats and keywords it does not know', () => {
    const schema = {
      type: 'object',
      'x-hint': 1,
      properties: { a: { type: 'string', format: 'uri', example: 'x' } },
    };
    expect(check(schema)({ a: 'no uri' }).ok).toBe(true);
  });

  it('takes the same $id twice, at the root and within', () => {
    const schema = (type: string): JsonSchema => ({
      $id: 'http://x.test/order',
      type: 'object',
      properties: { a: { $ref: 'part' } },
      $defs: { part: { $id: 'http://x.test/part', type } },
    });
    const text = check(schema('string'));
    const number = check(schema('number'));
    expect([text({ a: 'x' }).ok, text({ a: 1 }).ok]).toEqual([true, false]);
    expect([number({ a: 'x' }).ok, number({ a: 1 }).ok]).toEqual([false, true]);
  });

  it('B104: passes boolean nodes', () => {
    const schema = { type: 'object', properties: { a: true, b: false, c: { type: 'array', items: true } } };
    expect(check(schema)({ a: 1, c: [1, 'x'] }).ok).toBe(true);
    expect(check(schema)({ b: 1 }).ok).toBe(false);
  });

  it('is done at once with a pattern that could take minutes', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const started = performance.now();
    expect(issuesOf(schema, { a: `${'a'.repeat(29)}!` })).toEqual([
      { path: 'a', message: 'must match pattern "^(a+)+$"' },
    ]);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it.each<[JsonSchema, RegExp]>([
    [{ type: 'strnig' }, /"x" cannot be used: type must be .*strnig\. Correct the JSON Schema/],
    [{ type: 'object', required: 'a' }, /required value must be/],
    [{ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, /reference #\/nowhere/],
    [
      { type: 'object', properties: { a: { pattern: '(?=a)b' } } },
      /the pattern "\(\?=a\)b" cannot run in linear time .* Write it without look-around/,
    ],
  ])('refuses %j when it is defined', (schema, message) => {
    expect(() => check(schema)).toThrow(InvalidSchemaException);
    expect(() => check(schema)).toThrow(message);
  });
});

describe('lenientJsonSchemaCheck', () => {
  it('B98: leaves out the patterns that cannot run here and checks the rest', () => {
    const lenient = lenientJsonSchemaCheck(
      {
        type: 'object',
        properties: {
          a: { type: 'string', pattern: '(?=a)b' },
          b: { type: 'string', pattern: '^b' },
          pattern: {},
        },
      },
      undefined,
    );
    expect(lenient({ a: 'z', b: 'b', pattern: 1 }).ok).toBe(true);
    expect(lenient({ a: 1 }).ok).toBe(false);
    expect(lenient({ b: 'z' }).ok).toBe(false);
  });

  it('leaves out rules for keys that hang on such a pattern', () => {
    const lenient = lenientJsonSchemaCheck(
      {
        type: 'object',
        required: ['id'],
        patternProperties: { '^(?!x)': { type: 'string' } },
        additionalProperties: false,
      },
      DRAFT_7,
    );
    expect(lenient({ id: 1 }).ok).toBe(true);
    expect(lenient({}).ok).toBe(false);
  });

  it('asks only for an object where the schema cannot be compiled', () => {
    const lenient = lenientJsonSchemaCheck(
      { type: 'object', properties: { a: { type: 'strnig' } } },
      undefined,
    );
    expect(lenient({ a: 1 }).ok).toBe(true);
    expect(lenient([]).ok).toBe(false);
  });
});
