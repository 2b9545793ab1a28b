import * as validators from 'class-validator';
import { describe, expect, it } from 'vitest';
import { validatorsOf } from './validator-metadata.js';
import { enumValues, validatorKeywords } from './validator-keywords.js';

enum Mixed {
  No,
  Yes = 'yes',
  Two = 2,
}

/** What a decorator leaves behind, in keywords. */
function keywordsOf(decorator: PropertyDecorator): unknown {
  class Probe {}
  decorator(Probe.prototype, 'field');
  const [rule] = validatorsOf(Probe);
  return validatorKeywords(rule?.name, rule?.constraints);
}

const { Matches, IsUUID, IsIP, Length, IsIn, Equals, ArrayUnique, Contains, IsEnum, IsAlpha } = validators;

describe('validatorKeywords', () => {
  it.each<[string, PropertyDecorator, unknown]>([
    ['IsInt', validators.IsInt(), { type: 'integer' }],
    ['Min', validators.Min(1), { type: 'number', minimum: 1 }],
    ['Max', validators.Max(9), { type: 'number', maximum: 9 }],
    ['IsPositive', validators.IsPositive(), { type: 'number', exclusiveMinimum: 0 }],
    ['IsDivisibleBy', validators.IsDivisibleBy(5), { type: 'number', multipleOf: 5 }],
    ['Length', Length(2, 4), { type: 'string', minLength: 2, maxLength: 4 }],
    ['Length without end', Length(2), { type: 'string', minLength: 2 }],
    ['Matches', Matches(/^a+$/u), { type: 'string', pattern: '^a+$' }],
    ['Matches with flags', Matches('^a', 'i'), { type: 'string', description: '(pattern: /^a/i)' }],
    ['Contains', Contains('a.b'), { type: 'string', pattern: 'a\\.b' }],
    ['IsAlpha of a language', IsAlpha('de-DE'), { type: 'string' }],
    ['IsEmail', validators.IsEmail(), { type: 'string', format: 'email' }],
    ['IsUrl', validators.IsUrl(), { type: 'string', format: 'uri' }],
    ['IsUUID', IsUUID('4'), { type: 'string', format: 'uuid' }],
    ['IsIP 6', IsIP(6), { type: 'string', format: 'ipv6' }],
    ['IsIP', IsIP(), { type: 'string' }],
    ['IsISO8601', validators.IsISO8601(), { type: 'string', format: 'date-time' }],
    ['IsDateString', validators.IsDateString(), { type: 'string', format: 'date-time' }],
    ['IsIn', IsIn([1, 2.5]), { type: ['integer', 'number'], enum: [1, 2.5] }],
    ['IsIn of objects', IsIn([{}]), {}],
    ['Equals', Equals(true), { type: 'boolean', enum: [true] }],
    ['IsEnum', IsEnum(Mixed), { type: ['integer', 'string'], enum: [0, 'yes', 2] }],
    ['ArrayMinSize', validators.ArrayMinSize(1), { type: 'array', minItems: 1 }],
    ['ArrayUnique', ArrayUnique(), { type: 'array', uniqueItems: true }],
    ['IsPhoneNumber', validators.IsPhoneNumber(), { type: 'string' }],
    ['NotEquals', validators.NotEquals(1), {}],
  ])('%s', (_, decorator, keywords) => {
    expect(keywordsOf(decorator)).toEqual(keywords);
  });

  it('knows every validator of class-validator whose argument is a text', () => {
    const unknown = Object.entries(validators)
      .filter(([constant, name]) => /^(IS_|MATCHES|CONTAINS)/.test(constant) && typeof name === 'string')
      .filter(([, name]) => Object.keys(validatorKeywords(name as string, ['x'])).length === 0)
      .map(([, name]) => name);
    expect(new Set(unknown)).toEqual(
      new Set(['isDefined', 'isEmpty', 'isEnum', 'isIn', 'isInstance', 'isNotIn', 'isOptional']),
    );
  });

  it('says nothing of validators that others wrote', () => {
    expect(validatorKeywords('constructor')).toEqual({});
    expect(validatorKeywords(undefined)).toEqual({});
    expect(validatorKeywords('min')).toEqual({ type: 'number' });
  });
});

describe('enumValues', () => {
  it('leaves out the way back of numeric enums', () => {
    expect(enumValues(Mixed)).toEqual([0, 'yes', 2]);
    expect(enumValues({ 1: 'one', 2: 'two' })).toEqual(['one', 'two']);
    expect(enumValues(['a', 'b'])).toEqual(['a', 'b']);
    expect(enumValues(undefined)).toEqual([]);
  });
});
