import { describe, expect, it } from 'vitest';
import { evaluated, index, literal, member, variable } from '../../../../../test/support/expression-tree.js';

const X = variable('x');
const field = (x: unknown, name: string): unknown => evaluated(member(X, name), { x });
const at = (x: unknown, place: unknown): unknown => evaluated(index(X, variable('place')), { x, place });

describe('value.name', () => {
  it.each([
    [{ a: 1 }, 'a', 1],
    [{ a: 1 }, 'b', null],
    [{ length: 'own' }, 'length', 'own'],
    [{ keys: 'own' }, 'keys', 'own'],
    [{ a: 1 }, 'length', null],
    [{ a: 1 }, 'size', null],
    ['abc', 'length', 3],
    ['abc', 'size', 3],
    ['abc', 'isEmpty', null],
    ['', 'length', 0],
    [[1, 2], 'length', 2],
    [[1, 2], 'size', 2],
    [[1, 2], 'first', null],
    [[1, 2], '0', null],
    [new Set([1, 2]), 'size', 2],
    [null, 'a', null],
    [true, 'a', null],
    [1, 'length', null],
  ])('%j .%s = %j', (x, name, wanted) => {
    expect(field(x, name)).toEqual(wanted);
    expect(evaluated(member(X, name, true), { x })).toEqual(wanted);
  });

  it('is null at any depth', () => {
    const deep = member(member(index(member(X, 'a'), literal(3)), 'b'), 'c');
    expect(evaluated(deep, { x: {} })).toBeNull();
    expect(evaluated(deep, { x: null })).toBeNull();
    expect(evaluated(deep, { x: { a: [1] } })).toBeNull();
    expect(evaluated(deep, { x: { a: [0, 1, 2, { b: { c: 'found' } }] } })).toBe('found');
  });
});

describe('value[index]', () => {
  it.each([
    [['a', 'b', 'c'], 0, 'a'],
    [['a', 'b', 'c'], 2, 'c'],
    [['a', 'b', 'c'], 3, null],
    [['a', 'b', 'c'], -1, 'c'],
    [['a', 'b', 'c'], -3, 'a'],
    [['a', 'b', 'c'], -4, null],
    [['a', 'b', 'c'], 1.5, null],
    [['a', 'b', 'c'], 1e300, null],
    [['a', 'b', 'c'], Number.NaN, null],
    [['a', 'b', 'c'], '0', null],
    [['a', 'b', 'c'], 'length', 3],
    [['a', 'b', 'c'], null, null],
    [['a', 'b', 'c'], true, null],
    [['a', 'b', 'c'], [0], null],
    [[], -1, null],
    [[null, undefined], 1, null],
    ['abc', 0, 'a'],
    ['abc', -1, 'c'],
    ['abc', 3, null],
    ['abc', -4, null],
    ['abc', 0.5, null],
    ['abc', 'length', 3],
    [{ a: 1 }, 'a', 1],
    [{ a: 1 }, 'b', null],
    [{ a: 1 }, 0, null],
    [{ 7: 'seven' }, 7, 'seven'],
    [{ '-1': 'minus' }, -1, 'minus'],
    [{ a: 1 }, null, null],
    [{ null: 1 }, null, null],
    [null, 0, null],
    [5, 0, null],
    [true, 'a', null],
    [new Map([['a', 1]]), 'a', 1],
    [new Set(['a', 'b']), -1, 'b'],
  ])('%j [%j] = %j', (x, place, wanted) => {
    expect(at(x, place)).toEqual(wanted);
    expect(evaluated(index(X, variable('place'), true), { x, place })).toEqual(wanted);
  });

  it('a hole is null, whatever the prototype of lists has', () => {
    const holes = [1];
    holes[3] = 4;
    const lists = Array.prototype as { 1?: unknown };
    try {
      lists[1] = 'inherited';
      expect(at(holes, 1)).toBeNull();
    } finally {
      delete lists[1];
    }
  });
});
