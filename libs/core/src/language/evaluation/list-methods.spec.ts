import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  binary,
  evaluated,
  invoked,
  lambda,
  literal,
  member,
  method,
  unary,
  variable,
} from '../../../../../test/support/expression-tree.js';

const I = variable('i');
const isOver2 = lambda('i', binary(I, '>', literal(2)));
const itself = lambda('i', I);
const doubled = lambda('i', binary(I, '*', literal(2)));
const key = lambda('i', member(I, 'k'));
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

describe('methods of lists without arguments', () => {
  it.each([
    [[1, 2], 'length', 2],
    [[1, 2], 'size', 2],
    [[1, 2], 'count', 2],
    [[], 'isEmpty', true],
    [[null], 'isEmpty', false],
    [[1, 2], 'first', 1],
    [[], 'first', null],
    [[1, 2], 'last', 2],
    [[], 'last', null],
    [[1, 2, 3], 'reverse', [3, 2, 1]],
    [[1, [2, [3]], [], null], 'flatten', [1, 2, [3], null]],
    [[1, 2.5], 'sum', 3.5],
    [[], 'sum', 0],
    [[1, '2'], 'sum', null],
    [[1, null], 'sum', null],
    [[Number.MAX_VALUE, Number.MAX_VALUE], 'sum', null],
    [[3, -1, 2], 'min', -1],
    [[3, -1, 2], 'max', 3],
    [[], 'min', null],
    [[], 'max', null],
    [[1, 'a'], 'max', null],
    [[null], 'min', null],
    [[1, '1', 1, true, 'a', 'a', null, undefined], 'distinct', [1, '1', true, 'a', null]],
    [[{ a: 1 }, [1], { a: 1 }, [1], { a: 2 }], 'distinct', [{ a: 1 }, [1], { a: 2 }]],
    [['a', 1, null, true, [1], { b: 2 }], 'join', 'a,1,,true,[1],{"b":2}'],
    [[], 'join', ''],
    [[1, 'a'], 'toString', '[1,"a"]'],
  ])('%j.%s() = %j', (list, name, wanted) => {
    expect(invoked(list, name)).toEqual(wanted);
  });
});

describe('methods of lists with arguments', () => {
  it.each([
    [[1, 2], 'contains', 2, true],
    [[1, 2], 'contains', '2', false],
    [[1, null], 'contains', null, true],
    [[1, 2, 1], 'indexOf', 1, 0],
    [[1, 2], 'indexOf', 3, -1],
    [['a', 'b'], 'join', ' - ', 'a - b'],
    [['a', 'b'], 'join', '', 'ab'],
    [['a', 'b'], 'join', 1, null],
    [['a', 'b'], 'join', null, null],
    [[1, 2, 3], 'slice', 1, [2, 3]],
    [[1, 2, 3], 'slice', -2, [2, 3]],
    [[1, 2, 3], 'slice', -9, [1, 2, 3]],
    [[1, 2, 3], 'slice', 9, []],
    [[1, 2, 3], 'slice', 1.9, [2, 3]],
    [[1, 2, 3], 'slice', '1', null],
    [[1, 2, 3], 'slice', null, null],
  ])('%j.%s(%j) = %j', (list, name, argument, wanted) => {
    expect(invoked(list, name, literal(argument))).toEqual(wanted);
  });

  it('values are compared by their contents', () => {
    const has = method(variable('x'), 'contains', variable('y'));
    expect(evaluated(has, { x: [{ a: [1] }], y: { a: [1] } })).toBe(true);
    expect(evaluated(method(variable('x'), 'indexOf', variable('y')), { x: [[], {}], y: {} })).toBe(1);
  });

  it('slice takes an end', () => {
    expect(invoked([1, 2, 3, 4], 'slice', literal(1), literal(-1))).toEqual([2, 3]);
    expect(invoked([1, 2, 3, 4], 'slice', literal(0), literal(2))).toEqual([1, 2]);
    expect(invoked([1, 2, 3, 4], 'slice', literal(3), literal(1))).toEqual([]);
    expect(invoked([1, 2, 3, 4], 'slice', literal(0), literal(null))).toBeNull();
  });
});

describe('methods of lists with a lambda', () => {
  it.each([
    ['map', doubled, [2, 6, 4, 8]],
    ['filter', isOver2, [3, 4]],
    ['find', isOver2, 3],
    ['any', isOver2, true],
    ['all', isOver2, false],
    ['none', isOver2, false],
    ['count', isOver2, 2],
    ['sum', doubled, 20],
    ['min', lambda('i', unary('-', I)), -4],
    ['max', doubled, 8],
    ['sum', lambda('i', literal('a')), null],
    ['sortBy', itself, [1, 2, 3, 4]],
    ['sortBy', lambda('i', unary('-', I)), [4, 3, 2, 1]],
    ['map', lambda('i', literal(null)), [null, null, null, null]],
  ] as const)('[1, 3, 2, 4].%s', (name, argument, wanted) => {
    expect(invoked([1, 3, 2, 4], name, argument)).toEqual(wanted);
  });

  it.each([
    ['map', []],
    ['filter', []],
    ['find', null],
    ['any', false],
    ['all', true],
    ['none', true],
    ['count', 0],
    ['sum', 0],
    ['min', null],
    ['sortBy', []],
  ])('[].%s', (name, wanted) => {
    expect(invoked([], name, isOver2)).toEqual(wanted);
  });

  it('tests are truthy as everywhere', () => {
    expect(invoked([0, '', null, [], false, 1], 'filter', itself)).toEqual(['', [], 1]);
    expect(invoked(['', {}], 'all', itself)).toBe(true);
    expect(invoked([0, null, false], 'none', itself)).toBe(true);
    expect(invoked([0, 'found'], 'find', itself)).toBe('found');
  });

  it('sortBy puts numbers before texts before the rest, and keeps the order of equal keys', () => {
    const list = [
      { k: 'b' },
      { n: 1 },
      { k: 2 },
      { k: 'a' },
      { k: null, n: 2 },
      { k: 1, n: 1 },
      { k: 1, n: 2 },
    ];
    expect(invoked(list, 'sortBy', key)).toEqual([
      { k: 1, n: 1 },
      { k: 1, n: 2 },
      { k: 2 },
      { k: 'a' },
      { k: 'b' },
      { n: 1 },
      { k: null, n: 2 },
    ]);
  });

  it('sortBy agrees with a stable sort of JavaScript', () => {
    const item = fc.record({ k: fc.integer({ min: 0, max: 5 }), n: fc.nat() }, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(item), (list) => {
        expect(invoked(list, 'sortBy', key)).toEqual(list.toSorted((a, b) => a.k - b.k));
      }),
      { numRuns },
    );
  });
});

it('lists that came in stay as they were', () => {
  const list = Object.freeze([3, 1, 2]);
  for (const name of ['reverse', 'distinct', 'flatten', 'first']) invoked(list, name);
  invoked(list, 'sortBy', itself);
  expect(list).toEqual([3, 1, 2]);
});

it('slice agrees with JavaScript', () => {
  const place = fc.oneof(
    fc.integer({ min: -8, max: 8 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 6 }), place, place, (list, start, end) => {
      expect(invoked(list, 'slice', literal(start), literal(end))).toEqual(list.slice(start, end));
    }),
    { numRuns },
  );
});
