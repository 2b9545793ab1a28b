import { describe, expect, it } from 'vitest';
import {
  evaluated,
  invoked,
  literal,
  member,
  method,
  variable,
} from '../../../../../test/support/expression-tree.js';

describe('methods of objects', () => {
  it.each([
    [{ b: 1, a: null }, 'keys', ['b', 'a']],
    [{}, 'keys', []],
    [{ b: 1, a: [2] }, 'values', [1, [2]]],
    [{ b: 1, a: null }, 'size', 2],
    [{}, 'isEmpty', true],
    [{ a: null }, 'isEmpty', false],
    [{ a: { b: 1 } }, 'toString', '{"a":{"b":1}}'],
    [new Map([['a', new Date(0)]]), 'values', ['1970-01-01T00:00:00.000Z']],
    [new Map([['a', 1]]), 'keys', ['a']],
    [new Map(), 'isEmpty', true],
  ])('%j.%s() = %j', (record, name, wanted) => {
    expect(invoked(record, name)).toEqual(wanted);
  });

  it('has', () => {
    expect(invoked({ a: null }, 'has', literal('a'))).toBe(true);
    expect(invoked({ a: null }, 'has', literal('b'))).toBe(false);
    expect(invoked({ 1: null }, 'has', literal(1))).toBeNull();
  });

  it('a field of the same name is told from the method by the call', () => {
    const x = { keys: 'field', size: 9 };
    expect(evaluated(member(variable('x'), 'keys'), { x })).toBe('field');
    expect(evaluated(method(variable('x'), 'keys'), { x })).toEqual(['keys', 'size']);
    expect(evaluated(member(variable('x'), 'size'), { x })).toBe(9);
    expect(evaluated(method(variable('x'), 'size'), { x })).toBe(2);
  });
});

describe('methods of numbers and booleans', () => {
  it.each([
    [-1.5, 'abs', 1.5],
    [1.5, 'round', 2],
    [-0.4, 'round', 0],
    [-1.5, 'floor', -2],
    [1.2, 'ceil', 2],
    [-0.5, 'ceil', 0],
    [1.5, 'toNumber', 1.5],
    [200.0, 'toString', '200'],
    [1e21, 'toString', '1e+21'],
    [true, 'toString', 'true'],
    [true, 'toNumber', null],
    [true, 'abs', null],
  ])('%j.%s() = %j', (value, name, wanted) => {
    expect(invoked(value, name)).toBe(wanted);
  });
});
