import { describe, expect, it, vi } from 'vitest';
import {
  binary,
  call,
  compiled,
  conditional,
  evaluated,
  index,
  invoked,
  lambda,
  list,
  literal,
  method,
  record,
  template,
  unary,
  variable,
  when,
} from '../../../../../test/support/expression-tree.js';
import { ExpressionLimitException, type ExpressionLimit } from '../../errors/expression-limit.exception.js';
import { MAX_HEIGHT, MAX_NESTING } from '../syntax-limits.js';
import type { ExpressionNode } from '../syntax-tree.js';
import { NESTING_LIMIT, STEP_LIMIT, TREE_LIMIT } from './limits.js';

const X = variable('x');
const I = variable('i');

/** The limit that an evaluation of `node` meets; null if it ends. */
function limitOf(run: () => unknown): ExpressionLimit | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof ExpressionLimitException) return error.limit;
    throw error;
  }
}

const numbers = (length: number): number[] => Array.from({ length }, (_, place) => place);

/** `wrap` around `core`, again and again. */
function nested(
  times: number,
  core: ExpressionNode,
  wrap: (inner: ExpressionNode) => ExpressionNode,
): ExpressionNode {
  let node = core;
  for (let time = 0; time < times; time++) node = wrap(node);
  return node;
}

describe('steps', () => {
  it('a list as long as they last', () => {
    const map = (length: number): unknown => invoked(numbers(length), 'map', lambda('i', I));
    expect(map(STEP_LIMIT - 1)).toHaveLength(STEP_LIMIT - 1);
    expect(limitOf(() => map(STEP_LIMIT))).toBe('steps');
  });

  it('are counted through nested lambdas', () => {
    const tick = vi.fn(() => 1);
    const inner = method(X, 'map', lambda('j', call(variable('tick'))));
    const node = method(X, 'map', lambda('i', inner));
    expect(limitOf(() => evaluated(node, { x: numbers(10_000) }, { tick }))).toBe('steps');
    expect(tick.mock.calls.length).toBeGreaterThan(10_000);
    expect(tick.mock.calls.length).toBeLessThan(STEP_LIMIT);
  });

  it('are counted for each element and each call', () => {
    const ask = (length: number): unknown =>
      evaluated(method(X, 'map', lambda('i', call(variable('f')))), { x: numbers(length) }, { f: () => 1 });
    expect(limitOf(() => ask(STEP_LIMIT / 2 - 1))).toBeNull();
    expect(limitOf(() => ask(STEP_LIMIT / 2))).toBe('steps');
  });

  it('bound the pieces of a text before they are made', () => {
    const split = vi.spyOn(String.prototype, 'split');
    expect(limitOf(() => invoked('a'.repeat(1_000_000), 'split', literal('')))).toBe('steps');
    const [pieces] = split.mock.results;
    expect(pieces?.value.length).toBeLessThanOrEqual(STEP_LIMIT);
  });

  it('are counted anew in each evaluation', () => {
    const x = numbers(60_000);
    const expression = compiled(method(X, 'count', lambda('i', literal(true))), { x });
    for (let time = 0; time < 5; time++) expect(expression.evaluate({ variables: { x } })).toBe(60_000);
  });

  it.each([
    'contains',
    'indexOf',
    'join',
    'map',
    'filter',
    'find',
    'any',
    'count',
    'sum',
    'max',
    'reverse',
    'flatten',
    'distinct',
    'sortBy',
    'slice',
    'toString',
    'none',
    'min',
  ])('bound %s on a list that is too long', (name) => {
    const test = lambda('i', binary(I, '<', literal(0)));
    const args = new Map<string, ExpressionNode[]>([
      ...['contains', 'indexOf'].map((key) => [key, [literal('z')]] as const),
      ...['map', 'filter', 'find', 'any', 'none', 'count', 'sortBy'].map((key) => [key, [test]] as const),
      ['slice', [literal(0)]],
    ] as [string, ExpressionNode[]][]);
    expect(limitOf(() => invoked(numbers(STEP_LIMIT + 1), name, ...(args.get(name) ?? [])))).toMatch(
      /^(steps|text)$/,
    );
  });

  it.each(['keys', 'values', 'size', 'isEmpty'])('bound %s of an object that is too large', (name) => {
    const x = Object.fromEntries(numbers(STEP_LIMIT + 1).map((place) => [`k${place}`, place]));
    expect(limitOf(() => invoked(x, name))).toBe('steps');
  });

  it('bound them before the fields are looked at', () => {
    const x: Record<string, number> = {};
    for (let place = 0; place <= STEP_LIMIT; place++) x[`k${place}`] = place;
    const looks = vi.spyOn(Object, 'getOwnPropertyDescriptor');
    expect(limitOf(() => invoked(x, 'keys'))).toBe('steps');
    const before = looks.mock.calls.length;
    looks.mockRestore();
    expect(before).toBeLessThan(100);
  });

  it('bound the digits of BigInts', () => {
    const x = Array.from({ length: 1_000 }, () => 10n ** 100_000n);
    expect(limitOf(() => evaluated(X, { x }))).toBe('steps');
    expect(limitOf(() => evaluated(X, { x: [10n ** 5_000n] }))).toBeNull();
  });

  it('bound a list that says it is longer than any', () => {
    const x: unknown[] = [];
    x.length = 2 ** 32 - 1;
    for (const name of ['reverse', 'distinct', 'flatten', 'join'])
      expect(limitOf(() => invoked(x, name))).toBe('steps');
    expect(limitOf(() => evaluated(binary(X, '+', X), { x }))).toBe('steps');
    expect(limitOf(() => evaluated(binary(X, '==', variable('y')), { x, y: [] }))).toBeNull();
    expect(limitOf(() => evaluated(X, { x }))).toBe('output');
  });

  it('bound the doubling of a list', () => {
    const node = nested(40, list(literal(1)), (inner) =>
      index(method(list(inner), 'map', lambda('i', binary(I, '+', I))), literal(0)),
    );
    expect(limitOf(() => evaluated(node))).toBe('steps');
  });

  it('bound sets, and the pieces of a text', () => {
    expect(limitOf(() => invoked(new Set(numbers(STEP_LIMIT + 1)), 'first'))).toBe('steps');
    expect(limitOf(() => invoked('a'.repeat(STEP_LIMIT + 1), 'split', literal('')))).toBe('steps');
    expect(limitOf(() => invoked('a'.repeat(STEP_LIMIT + 1), 'replace', literal('a'), literal('')))).toBe(
      'steps',
    );
  });

  it('bound what is quadratic: distinct objects', () => {
    expect(
      limitOf(() =>
        invoked(
          numbers(1_000).map((n) => ({ n })),
          'distinct',
        ),
      ),
    ).toBe('steps');
  });

  it('count long texts by their length', () => {
    const text = 'a'.repeat(1_000_000);
    const x = numbers(1_000);
    for (const name of ['toUpperCase', 'trim', 'toNumber']) {
      const node = method(X, 'map', lambda('i', method(variable('text'), name)));
      expect(limitOf(() => evaluated(node, { x, text }))).toBe('steps');
    }
    const other = `${text.slice(1)}b`;
    const compare = method(X, 'map', lambda('i', binary(variable('text'), '==', variable('other'))));
    expect(limitOf(() => evaluated(compare, { x, text, other }))).toBe('steps');
  });

  it('bound a search in which each character would be compared with each', () => {
    const text = 'a'.repeat(1_000_000);
    const part = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`;
    for (const name of ['contains', 'indexOf', 'split']) {
      expect(limitOf(() => evaluated(method(X, name, variable('y')), { x: text, y: part }))).toBe('steps');
    }
    expect(evaluated(method(X, 'contains', variable('y')), { x: part, y: text })).toBe(false);
    expect(invoked(text, 'contains', literal('refund'))).toBe(false);
  });
});

describe('chains', () => {
  it('of operators may have as many links as there are steps', () => {
    const sum = (terms: number): ExpressionNode =>
      nested(terms - 1, literal(1), (inner) => binary(inner, '+', literal(1)));
    expect(evaluated(sum(100_000))).toBe(100_000);
    expect(limitOf(() => evaluated(sum(100_002)))).toBe('steps');
  });

  it.each<[string, (inner: ExpressionNode) => ExpressionNode]>([
    ['||', (inner) => binary(inner, '||', literal('end'))],
    ['&&', (inner) => binary(inner, '&&', literal('end'))],
    ['??', (inner) => binary(inner, '??', literal('end'))],
    ['!', (inner) => unary('!', inner)],
    ['members', (inner) => index(inner, literal(0))],
    ['methods', (inner) => method(inner, 'toString')],
    ['conditionals', (inner) => conditional(literal(false), literal('no'), inner)],
    [
      'all of them',
      (inner) => unary('!', binary(index(method(inner, 'trim'), literal(0)), '||', literal('end'))),
    ],
  ])('of 20,000 %s', (_, link) => {
    expect(limitOf(() => evaluated(nested(20_000, literal('a'), link)))).toBeNull();
  });
});

describe('nesting', () => {
  const WRAPS: readonly (readonly [string, (inner: ExpressionNode) => ExpressionNode])[] = [
    ['lists', (inner) => index(list(inner), literal(0))],
    ['objects', (inner) => index(record(['a', inner]), literal('a'))],
    ['templates', (inner) => template(inner)],
    ['arguments', (inner) => method(literal('a'), 'contains', inner)],
    ['function calls', (inner) => call(variable('f'), inner)],
    ['indexes', (inner) => index(X, inner)],
    ['tests', (inner) => conditional(inner, literal(1), literal(2))],
    ['subjects', (inner) => when(inner, [[literal(1), literal(1)]])],
    ['branches', (inner) => when(literal(1), [[literal(1), inner]])],
  ];
  const f = (value: unknown): unknown => value;

  it.each(WRAPS)('%s: as deep as the limit, and no deeper', (_, wrap) => {
    const x = [1];
    expect(limitOf(() => evaluated(nested(NESTING_LIMIT, literal(1), wrap), { x }, { f }))).toBeNull();
    expect(limitOf(() => evaluated(nested(NESTING_LIMIT + 1, literal(1), wrap), { x }, { f }))).toBe(
      'nesting',
    );
    expect(limitOf(() => compiled(nested(50_000, literal(1), wrap), { x }, { f }))).toBe('nesting');
  });

  it.each(['map', 'any', 'find', 'sortBy', 'sum'])(
    'lambdas of %s: as deep as the limit, and no deeper',
    (name) => {
      const wrap = (inner: ExpressionNode): ExpressionNode => method(X, name, lambda('i', inner));
      const deep = (times: number): ExpressionNode => method(nested(times, literal(1), wrap), 'size');
      expect(limitOf(() => evaluated(deep(NESTING_LIMIT), { x: [1] }))).toBeNull();
      expect(limitOf(() => evaluated(deep(NESTING_LIMIT + 1), { x: [1] }))).toBe('nesting');
    },
  );

  it.each<[string, (inner: ExpressionNode) => ExpressionNode]>([
    ['operands', (inner) => inner],
    ['operands and lambdas', (inner) => method(X, 'map', lambda('i', inner))],
    ['operands and calls', (inner) => call(variable('f'), inner)],
    ['operands and templates', (inner) => template(inner)],
  ])('%s: as deep as the limit, and no deeper', (_, wrap) => {
    const operands = (inner: ExpressionNode): ExpressionNode =>
      nested(4, inner, (right) => binary(literal(1), '+', right));
    const deepest = nested(TREE_LIMIT / 5 - 1, operands(literal(1)), (inner) => operands(wrap(inner)));
    const levels = (times: number): ExpressionNode =>
      nested(times, literal(1), (inner) => binary(literal(1), '+', inner));
    expect(limitOf(() => evaluated(deepest, { x: [1] }, { f }))).toBeNull();
    expect(limitOf(() => evaluated(levels(TREE_LIMIT - 1)))).toBeNull();
    expect(limitOf(() => evaluated(levels(TREE_LIMIT)))).toBe('nesting');
  });

  it('the parser allows no more', () => {
    expect(MAX_HEIGHT).toBeLessThanOrEqual(TREE_LIMIT);
    expect(MAX_NESTING).toBeLessThanOrEqual(NESTING_LIMIT);
  });

  it('of data is bounded where the data leaves or becomes text, not where it is read', () => {
    let x: unknown = 'core';
    for (let depth = 0; depth < 100_000; depth++) x = [x];
    expect(limitOf(() => evaluated(X, { x }))).toBe('nesting');
    expect(limitOf(() => evaluated(template(X), { x }))).toBe('nesting');
    expect(limitOf(() => invoked([x], 'join'))).toBe('nesting');
    expect(evaluated(method(index(X, literal(0)), 'size'), { x })).toBe(1);
  });

  it('data that contains itself', () => {
    const x: Record<string, unknown> = { name: 'loop' };
    x.self = x;
    expect(limitOf(() => evaluated(X, { x }))).toBe('nesting');
    expect(limitOf(() => invoked(x, 'toString'))).toBe('nesting');
    expect(evaluated(index(index(X, literal('self')), literal('name')), { x })).toBe('loop');
  });
});

describe('text', () => {
  const long = 'a'.repeat(600_000);

  it.each<[string, ExpressionNode]>([
    ['+', binary(X, '+', X)],
    ['a template', template(X, X)],
    ['join', method(list(X, X), 'join')],
    ['replace', method(X, 'replace', literal('a'.repeat(100)), literal('b'.repeat(200)))],
    ['JSON', template(list(X, X))],
    ['toUpperCase', method(variable('longer'), 'toUpperCase')],
  ])('that %s would make too long', (_, node) => {
    expect(limitOf(() => evaluated(node, { x: long, longer: long.repeat(2) }))).toBe('text');
  });

  it('that came in may be longer', () => {
    const x = long.repeat(3);
    expect(evaluated(X, { x })).toBe(x);
    expect(invoked(x, 'contains', literal('b'))).toBe(false);
    expect(invoked(x, 'substring', literal(-2))).toBe('aa');
  });

  it('made by doubling, in one chain or in lambdas inside each other', () => {
    const doubled = nested(60, literal('ab'), (inner) =>
      index(method(list(inner), 'map', lambda('i', binary(I, '+', I))), literal(0)),
    );
    expect(limitOf(() => evaluated(doubled))).toBe('text');
    const inLambdas = nested(60, I, (inner) => method(list(binary(I, '+', I)), 'sum', lambda('i', inner)));
    expect(limitOf(() => evaluated(method(list(literal('ab')), 'map', lambda('i', inLambdas))))).toBe('text');
  });

  it('escapes count', () => {
    expect(limitOf(() => evaluated(template(list(X)), { x: '\u0001'.repeat(300_000) }))).toBe('text');
  });
});

describe('output', () => {
  it('counts shared parts each time', () => {
    const pairs = nested(60, literal(1), (inner) =>
      index(method(list(inner), 'map', lambda('i', list(I, I))), literal(0)),
    );
    expect(limitOf(() => evaluated(pairs))).toBe('output');
    expect(limitOf(() => evaluated(method(pairs, 'toString')))).toBe('steps');
    const texts = method(X, 'map', lambda('i', variable('text')));
    expect(limitOf(() => evaluated(texts, { x: numbers(100), text: 'a'.repeat(200_000) }))).toBe('output');
  });

  it('has room for all the arguments of a tool call, and does not matter where only truth is asked', () => {
    const x = { list: numbers(300_000), text: 'a'.repeat(700_000) };
    expect(evaluated(X, { x })).toEqual(x);
    const large = { variables: { x: numbers(700_000) } };
    expect(compiled(X, large.variables).holds(large)).toBe(true);
    expect(limitOf(() => compiled(X, large.variables).evaluate(large))).toBe('output');
  });
});
