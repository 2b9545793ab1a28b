import { describe, expect, it } from 'vitest';
import { optionalNullDropper } from './optional-nulls.js';

describe('optionalNullDropper', () => {
  const drop = optionalNullDropper({
    type: 'object',
    required: ['q', 'must'],
    properties: {
      q: { type: 'string' },
      must: { type: 'string' },
      limit: { type: 'integer' },
      size: { enum: ['s', 'm'] },
      kind: { const: 'a' },
      maybe: { type: ['string', 'null'] },
      any: {},
      also: true,
      union: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      filter: { type: 'object', properties: { a: { type: 'string' } } },
      rows: { type: 'array', items: { $ref: '#/$defs/row' } },
      wrapped: { anyOf: [{ $ref: '#/$defs/row' }, { type: 'null' }] },
    },
    $defs: {
      row: { type: 'object', properties: { next: { $ref: '#/$defs/row' }, v: { $ref: '#/$defs/text' } } },
      text: { type: 'string' },
    },
  });

  it('B96: takes null for an optional property as not given', () => {
    expect(drop({ q: 'x', limit: null, size: null, kind: null, filter: { a: null } })).toEqual({
      q: 'x',
      filter: {},
    });
    expect(drop({ q: 'x', filter: null, rows: null })).toEqual({ q: 'x' });
  });

  it('keeps null where it is allowed or the property is required', () => {
    const value = {
      q: 'x',
      must: null,
      maybe: null,
      any: null,
      also: null,
      union: null,
      wrapped: null,
      other: null,
    };
    expect(drop(value)).toBe(value);
  });

  it('follows arrays, references and cycles', () => {
    const value = {
      rows: [{ v: null }, { v: 'x' }, { next: { next: null, v: null } }],
      wrapped: { v: null },
    };
    const before = structuredClone(value);
    const after = drop(value) as typeof value;
    expect(after).toEqual({ rows: [{}, { v: 'x' }, { next: {} }], wrapped: {} });
    expect(after.rows[1]).toBe(value.rows[1]);
    expect(value).toEqual(before);
  });

  it('leaves values that do not have the shape', () => {
    for (const value of [null, 'x', 5, [], { rows: 'x', filter: [null] }, { rows: [null, 3] }]) {
      expect(drop(value)).toBe(value);
    }
  });

  it('is nothing at all for a schema without optional properties', () => {
    const strict = optionalNullDropper({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' } },
    });
    const value = { a: null };
    expect(strict(value)).toBe(value);
  });

  it('survives schemas that refer to themselves alone', () => {
    const odd = {
      type: 'object',
      properties: { a: { $ref: '#/properties/a' }, b: { allOf: [{ $ref: '#' }] } },
    };
    const value = { a: null };
    expect(optionalNullDropper(odd)(value)).toBe(value);
  });
});
