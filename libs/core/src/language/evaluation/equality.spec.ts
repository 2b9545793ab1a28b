import * as fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { binary, evaluated, variable } from '../../../../../test/support/expression-tree.js';
import { ExpressionLimitException } from '../../errors/expression-limit.exception.js';

const node = binary(variable('x'), '==', variable('y'));
const equal = (x: unknown, y: unknown): unknown => evaluated(node, { x, y });

describe('==', () => {
  it.each([
    [[1, [2, { a: 3 }]], [1, [2, { a: 3 }]], true],
    [[1, [2, { a: 3 }]], [1, [2, { a: 4 }]], false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: null }, { b: null }, false],
    [{ a: undefined }, {}, true],
    [{ a: 1, f: () => 1 }, { a: 1 }, true],
    [[null], [undefined], true],
    [[], {}, false],
    [{}, [], false],
    [{ 0: 'a' }, ['a'], false],
    [{ a: 1 }, new Map([['a', 1]]), true],
    [[1, 2], new Set([1, 2]), true],
    [new Date(0), '1970-01-01T00:00:00.000Z', true],
    [new Date(0), new Date(0), true],
    [12n, '12', true],
    [12n, 12, false],
    [Number.NaN, null, true],
    [-0, 0, true],
    ['é', 'e\u0301', false],
  ])('case %#', (x, y, wanted) => {
    expect(equal(x, y)).toBe(wanted);
    expect(equal(y, x)).toBe(wanted);
  });

  it('agrees with the deep equality of Node on JSON data', () => {
    const data = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
    const pair = fc.oneof(
      fc.tuple(data, data),
      data.map((value) => [value, structuredClone(value)] as const),
    );
    fc.assert(
      fc.property(pair, ([x, y]) => {
        expect(equal(x, y)).toBe(isDeepStrictEqual(x, y));
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 200) },
    );
  });

  it('a structure that contains itself equals itself', () => {
    const x: Record<string, unknown> = {};
    x.self = x;
    expect(equal(x, x)).toBe(true);
    expect(equal([x], [x])).toBe(true);
  });

  it('two structures that contain themselves end at the limit', () => {
    const x: Record<string, unknown> = {};
    const y: Record<string, unknown> = { self: x };
    x.self = y;
    const z: Record<string, unknown> = {};
    z.self = z;
    expect(() => equal(x, z)).toThrow(ExpressionLimitException);
  });

  it('goes as deep as the data', () => {
    const nested = (): unknown => {
      let value: unknown = 'core';
      for (let depth = 0; depth < 20_000; depth++) value = [value];
      return value;
    };
    expect(equal(nested(), nested())).toBe(true);
    expect(equal(nested(), [nested()])).toBe(false);
  });
});
