import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../operators/json-schema.js';
import { dropNullsOfOptional, toStrictSchema } from './strict-schema.js';

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
    const property = (node: unknown): JsonSchema => ({
      type: 'object',
      properties: { p: node },
      required: ['p'],
    });
    const impossible = [
      { ...search, additionalProperties: true },
      { ...search, additionalProperties: { type: 'string' } },
      property({ type: 'object' }),
      property({ type: 'object', additionalProperties: { type: 'number' } }),
      property({ allOf: [{ type: 'string' }] }),
      property({ type: 'array', prefixItems: [{ type: 'string' }] }),
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

describe('dropNullsOfOptional', () => {
  it('B96: leaves out a null that stands for an absent optional property', () => {
    expect(dropNullsOfOptional({ q: 'x', limit: null, f: { a: null } }, search)).toEqual({ q: 'x', f: {} });
    expect(dropNullsOfOptional({ q: null, other: null }, search)).toEqual({ q: null, other: null });
  });

  it('keeps a null that the schema allows', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        c: { enum: ['x', null] },
        d: {},
        e: true,
        f: { $ref: '#/$defs/n' },
      },
      $defs: { n: { type: 'null' } },
    };
    const value = { a: null, b: null, c: null, d: null, e: null, f: null };
    expect(dropNullsOfOptional(value, schema)).toBe(value);
  });

  it('follows lists, references and the alternative that fits', () => {
    const schema = {
      type: 'object',
      properties: {
        shapes: {
          type: 'array',
          items: { anyOf: [{ $ref: '#/$defs/circle' }, { $ref: '#/$defs/box' }] },
        },
      },
      $defs: {
        circle: {
          type: 'object',
          properties: { kind: { const: 'circle' }, r: { type: 'number' } },
          required: ['kind'],
        },
        box: {
          type: 'object',
          properties: { kind: { const: 'box' }, r: { type: ['number', 'null'] }, w: { type: 'number' } },
          required: ['kind'],
        },
      },
    };
    const value = {
      shapes: [
        { kind: 'circle', r: null },
        { kind: 'box', r: null, w: null },
      ],
    };
    expect(dropNullsOfOptional(value, schema)).toEqual({
      shapes: [{ kind: 'circle' }, { kind: 'box', r: null }],
    });
  });

  it('property: changes nothing in a value without nulls', () => {
    const noNull = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('null'));
    fc.assert(
      fc.property(noNull, (value) => {
        expect(dropNullsOfOptional(value, search)).toBe(value);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
    );
  });
});
