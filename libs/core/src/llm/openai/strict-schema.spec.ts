import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../operators/json-schema.js';
import { toStrictSchema } from './strict-schema.js';

const search: JsonSchema = {
  type: 'object',
  properties: {
    q: { type: 'string' },
    limit: { type: 'number', default: 10 },
    f: { type: 'object', properties: { a: { type: 'string' } } },
  },
  required: ['q'],
};

describe('toStrictSchema', () => {
  it('B96: requires every property, lets optional ones be null and closes each object', () => {
    expect(toStrictSchema(search)).toEqual({
      type: 'object',
      properties: {
        q: { type: 'string' },
        limit: { type: ['number', 'null'] },
        f: {
          type: ['object', 'null'],
          properties: { a: { type: ['string', 'null'] } },
          required: ['a'],
          additionalProperties: false,
        },
      },
      required: ['q', 'limit', 'f'],
      additionalProperties: false,
    });
  });

  it('B96: walks definitions, alternatives and items, and makes each kind of optional property nullable', () => {
    const strict = toStrictSchema({
      type: 'object',
      properties: {
        unit: { type: 'string', enum: ['c', 'f'] },
        fixed: { const: 1 },
        ref: { $ref: '#/$defs/point' },
        either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        already: { type: ['string', 'null'] },
        list: { type: 'array', items: { $ref: '#/$defs/point' } },
      },
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
    });
    expect(strict).toMatchObject({
      properties: {
        unit: { type: ['string', 'null'], enum: ['c', 'f', null] },
        fixed: { anyOf: [{ const: 1 }, { type: 'null' }] },
        ref: { anyOf: [{ $ref: '#/$defs/point' }, { type: 'null' }] },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
        already: { type: ['string', 'null'] },
        list: { type: ['array', 'null'], items: { $ref: '#/$defs/point' } },
      },
      $defs: { point: { additionalProperties: false, required: ['x'] } },
    });
  });

  it('B96: gives up on what strict mode cannot say', () => {
    const propertyOf = (node: unknown): JsonSchema => ({
      type: 'object',
      properties: { p: node },
      required: ['p'],
    });
    const impossible = [
      { ...search, additionalProperties: true },
      { ...search, additionalProperties: { type: 'string' } },
      propertyOf({ type: 'object' }),
      propertyOf({ type: 'object', additionalProperties: { type: 'number' } }),
      propertyOf({ allOf: [{ type: 'string' }] }),
      propertyOf({ type: 'array', prefixItems: [{ type: 'string' }] }),
      { type: 'string' },
    ];
    expect(impossible.filter((schema) => toStrictSchema(schema) !== undefined)).toEqual([]);
  });

  it('B100: closes a tool without parameters', () => {
    const closed = { type: 'object', properties: {}, required: [], additionalProperties: false };
    expect(toStrictSchema({ type: 'object' })).toEqual(closed);
  });

  it('B104: passes boolean nodes through', () => {
    const schema = {
      type: 'object',
      properties: { any: true, list: { type: 'array', items: true } },
      required: ['list'],
    };
    expect(toStrictSchema(schema)).toMatchObject({
      properties: { any: true, list: { type: 'array', items: true } },
      required: ['any', 'list'],
    });
  });
});
