import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  binary,
  call,
  evaluated,
  literal,
  unary,
  variable,
} from '../../../../../test/support/expression-tree.js';
import type { BinaryOperator } from '../syntax-tree.js';

const OPERANDS = { x: variable('x'), y: variable('y') };
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

function result(x: unknown, operator: BinaryOperator, y: unknown): unknown {
  return evaluated(binary(OPERANDS.x, operator, OPERANDS.y), { x, y });
}

/** One or two of each type. */
const VALUES = [null, true, false, 2, 0, 'a', '', [1], [], { a: 1 }, {}] as const;

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

const PAIRS = VALUES.flatMap((x) => VALUES.map((y) => [x, y] as const));

describe('operators on every pair of types', () => {
  it.each(PAIRS)('%j and %j: == only within a type, and != is its contrary', (x, y) => {
    const equal = JSON.stringify(x) === JSON.stringify(y) && typeOf(x) === typeOf(y);
    expect(result(x, '==', y)).toBe(equal);
    expect(result(x, '!=', y)).toBe(!equal);
  });

  it.each(PAIRS)('%j and %j: an order only between two numbers or two texts', (x, y) => {
    const ordered = typeOf(x) === typeOf(y) && (typeof x === 'number' || typeof x === 'string');
    const less = ordered && (x as string) < (y as string);
    const same = ordered && x === y;
    expect(result(x, '<', y)).toBe(less);
    expect(result(x, '<=', y)).toBe(less || same);
    expect(result(x, '>', y)).toBe(ordered && !less && !same);
    expect(result(x, '>=', y)).toBe(ordered && !less);
  });

  it.each(PAIRS)('%j and %j: arithmetic of two numbers, else null', (x, y) => {
    const numbers = typeof x === 'number' && typeof y === 'number';
    expect(result(x, '-', y)).toBe(numbers ? x - y : null);
    expect(result(x, '*', y)).toBe(numbers ? x * y : null);
    expect(result(x, '/', y)).toBe(numbers && y !== 0 ? x / y : null);
    expect(result(x, '%', y)).toBe(numbers && y !== 0 ? x % y : null);
  });

  it.each(PAIRS)('%j and %j: && and || give the operand that decides', (x, y) => {
    const falsy = x === null || x === false || x === 0;
    expect(result(x, '&&', y)).toEqual(falsy ? x : y);
    expect(result(x, '||', y)).toEqual(falsy ? y : x);
    expect(result(x, '??', y)).toEqual(x === null ? y : x);
  });
});

describe('+', () => {
  it.each([
    [1, 2, 3],
    [0.1, 0.2, 0.1 + 0.2],
    ['a', 'b', 'ab'],
    ['a', 1, 'a1'],
    [1.5, 'a', '1.5a'],
    ['a', true, 'atrue'],
    ['a', null, 'a'],
    [null, 'a', 'a'],
    ['', null, ''],
    ['a', [1, 'b'], 'a[1,"b"]'],
    [{ a: 1 }, 'b', '{"a":1}b'],
    [[1], [2, 3], [1, 2, 3]],
    [[], [], []],
    [1, null, null],
    [null, null, null],
    [true, true, null],
    [1, true, null],
    [[1], 2, null],
    [1, [2], null],
    [[1], null, null],
    [{ a: 1 }, { b: 2 }, null],
    [{ a: 1 }, [1], null],
    [Number.MAX_VALUE, Number.MAX_VALUE, null],
  ])('%j + %j = %j', (x, y, wanted) => {
    expect(result(x, '+', y)).toEqual(wanted);
  });
});

describe('numbers', () => {
  it.each([
    [1, '/', 0],
    [0, '/', 0],
    [-1, '/', 0],
    [1, '%', 0],
    [Number.MAX_VALUE, '*', 2],
    [-Number.MAX_VALUE, '-', Number.MAX_VALUE],
    [Number.NaN, '+', 1],
    [Number.POSITIVE_INFINITY, '-', 1],
  ] as const)('%d %s %d has no value', (x, operator, y) => {
    expect(result(x, operator, y)).toBeNull();
  });

  it.each([
    [5, '%', 3, 2],
    [-5, '%', 3, -2],
    [5.5, '%', 2, 1.5],
    [7, '/', 2, 3.5],
    [0, '*', -1, 0],
  ] as const)('%d %s %d = %d', (x, operator, y, wanted) => {
    expect(result(x, operator, y)).toBe(wanted);
  });

  it.each([
    [2, -2],
    [-2, 2],
    [0, 0],
    ['2', null],
    [null, null],
    [true, null],
    [[1], null],
    [{}, null],
  ])('-(%j) = %j', (x, wanted) => {
    expect(evaluated(unary('-', variable('x')), { x })).toBe(wanted);
  });

  it('agree with JavaScript wherever its result is a number', () => {
    const script: Record<string, (x: number, y: number) => number | boolean> = {
      '+': (x, y) => x + y,
      '-': (x, y) => x - y,
      '*': (x, y) => x * y,
      '/': (x, y) => x / y,
      '%': (x, y) => x % y,
      '<': (x, y) => x < y,
      '<=': (x, y) => x <= y,
      '>': (x, y) => x > y,
      '>=': (x, y) => x >= y,
      '==': (x, y) => x === y,
      '!=': (x, y) => x !== y,
    };
    const number = fc.oneof(
      fc.integer({ min: -5, max: 5 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const operator = fc.constantFrom(...(Object.keys(script) as BinaryOperator[]));
    fc.assert(
      fc.property(number, operator, number, (x, sign, y) => {
        const wanted = script[sign]!(x, y);
        const given = result(x, sign, y);
        const hasNone = typeof wanted === 'number' && !Number.isFinite(wanted);
        expect(given === (hasNone ? null : wanted)).toBe(true); // -0 and 0 are one number here
      }),
      { numRuns },
    );
  });
});

describe('texts', () => {
  it('agree with JavaScript', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (x, y) => {
        expect(result(x, '<', y)).toBe(x < y);
        expect(result(x, '>=', y)).toBe(x >= y);
        expect(result(x, '==', y)).toBe(x === y);
        expect(result(x, '+', y)).toBe(x + y);
      }),
      { numRuns },
    );
  });
});

describe('the right side', () => {
  it.each([
    [0, '&&'],
    [1, '||'],
    [0, '??'],
  ] as const)('of %d %s is not evaluated', (x, operator) => {
    const f = vi.fn(() => 'right');
    expect(evaluated(binary(literal(x), operator, call(variable('f'))), {}, { f })).toBe(x);
    expect(f).not.toHaveBeenCalled();
  });
});
