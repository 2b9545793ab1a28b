import { describe, expect, it } from 'vitest';
import { apiPropertyOf, declaredType, documented } from './api-property.js';

describe('what @ApiProperty says', () => {
  it('is read from its metadata, also of a base class', () => {
    class Base {
      name!: string;
    }
    class Derived extends Base {}
    Reflect.defineMetadata('swagger/apiModelProperties', { description: 'Who.' }, Base.prototype, 'name');
    expect(apiPropertyOf(Derived, 'name')).toEqual({ description: 'Who.' });
    expect(apiPropertyOf(Derived, 'age')).toEqual({});
  });

  it('adds words and bounds, and overrules no validator', () => {
    const schema = { type: 'integer', minimum: 1 };
    const api = {
      description: 'How many.',
      minimum: 0,
      maximum: 5,
      required: false,
      type: 'number',
      examples: [2, 3],
    };
    expect(documented(schema, api)).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 5,
      description: 'How many.',
      examples: [2, 3],
    });
  });

  it('gives an enum to the value or to the items of a list', () => {
    enum Size {
      Small,
      Large,
    }
    expect(documented({ type: 'number' }, { enum: Size })).toEqual({ type: 'number', enum: [0, 1] });
    expect(documented({ type: 'string', enum: ['a'] }, { enum: ['b'] })).toEqual({
      type: 'string',
      enum: ['a'],
    });
    expect(documented({ type: 'array', items: { type: 'string' } }, { enum: ['a'] })).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['a'] },
    });
  });

  it('stands round a reference, never beside it', () => {
    const reference = { $ref: '#/$defs/Node' };
    expect(documented(reference, {})).toEqual(reference);
    expect(documented(reference, { description: 'The next.' })).toEqual({
      anyOf: [reference],
      description: 'The next.',
    });
  });

  it('may narrow a text to a day', () => {
    expect(documented({ type: 'string', format: 'date-time' }, { format: 'date' })).toEqual({
      type: 'string',
      format: 'date',
    });
  });

  it('may declare a plain type', () => {
    expect(declaredType({ type: String })).toEqual({ type: 'string' });
    expect(declaredType({ type: 'integer' })).toEqual({ type: 'integer' });
    expect(declaredType({ type: [Number] })).toEqual({ type: 'array', items: { type: 'number' } });
    expect(declaredType({ type: Boolean, isArray: true })).toEqual({
      type: 'array',
      items: { type: 'boolean' },
    });
    expect(declaredType({ type: Date })).toBeUndefined();
    expect(declaredType({})).toBeUndefined();
  });
});
