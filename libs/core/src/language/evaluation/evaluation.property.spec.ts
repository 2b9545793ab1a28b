import * as fc from 'fast-check';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import {
  binary,
  broken,
  call,
  compiled,
  conditional,
  index,
  lambda,
  list,
  literal,
  member,
  method,
  record,
  template,
  unary,
  variable,
  when,
} from '../../../../../test/support/expression-tree.js';
import { ExpressionLimitException } from '../../errors/expression-limit.exception.js';
import type { BinaryOperator, ExpressionNode } from '../syntax-tree.js';
import { STEP_LIMIT } from './limits.js';
import { METHOD_NAMES } from './methods.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200) * 5;

const OPERATORS: readonly BinaryOperator[] = [
  '??',
  '||',
  '&&',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  '+',
  '-',
  '*',
  '/',
  '%',
];
const VARIABLES = ['x', 'y', 'i', 'unknown'];
const FIELDS = [
  'a',
  'b',
  'length',
  'size',
  'keys',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'then',
  '',
];

const name = fc.constantFrom(...VARIABLES);
const field = fc.constantFrom(...FIELDS);
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, -1, 2.5, '', 'a', 'b', ',', '12'),
  fc.integer({ min: -3, max: 3 }),
  fc.string({ maxLength: 4 }),
);

/** Any tree, also such as the checks refuse. */
const { node: tree } = fc.letrec<{ node: ExpressionNode; args: ExpressionNode[] }>((tie) => {
  const node = tie('node');
  return {
    node: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      scalar.map(literal),
      name.map(variable),
      fc.constant(null).map(broken),
      fc
        .array(fc.oneof(fc.string({ maxLength: 3 }), node), { maxLength: 3 })
        .map((parts) => template(...parts)),
      fc.array(node, { maxLength: 3 }).map((items) => list(...items)),
      fc.array(fc.tuple(field, node), { maxLength: 3 }).map((entries) => record(...entries)),
      fc.tuple(node, field, fc.boolean()).map(([object, key, optional]) => member(object, key, optional)),
      fc.tuple(node, node).map(([object, place]) => index(object, place)),
      {
        weight: 4,
        arbitrary: fc
          .tuple(node, fc.constantFrom(...METHOD_NAMES), tie('args'))
          .map(([object, key, args]) => method(object, key, ...args)),
      },
      fc.tuple(node, field, tie('args')).map(([object, key, args]) => method(object, key, ...args)),
      tie('args').map((args) => call(variable('tick'), ...args)),
      fc.tuple(node, tie('args')).map(([callee, args]) => call(callee, ...args)),
      fc
        .tuple(fc.constantFrom('!' as const, '-' as const), node)
        .map(([sign, operand]) => unary(sign, operand)),
      {
        weight: 3,
        arbitrary: fc
          .tuple(node, fc.constantFrom(...OPERATORS), node)
          .map(([left, sign, right]) => binary(left, sign, right)),
      },
      fc.tuple(node, node, node).map(([test, then, otherwise]) => conditional(test, then, otherwise)),
      fc
        .tuple(node, fc.array(fc.tuple(node, node), { maxLength: 2 }), fc.option(node))
        .map(([subject, branches, otherwise]) => when(subject, branches, otherwise)),
    ),
    args: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(name, node).map(([parameter, body]) => [lambda(parameter, body)]) },
      fc.array(node, { maxLength: 2 }),
    ),
  };
});

/** Counts the code of values that ran: it must stay 0. */
const ran = { count: 0 };
const trap = (): never => {
  ran.count++;
  throw new Error('code of a value ran');
};
class Entity {
  constructor(readonly a: unknown) {}
  handler = trap;
  get b(): unknown {
    return trap();
  }
  toJSON = trap;
}
const handler = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect).map((key) => [key, trap]),
) as ProxyHandler<object>;

/** Makes a value: a recipe, as fast-check itself would run the code of a value it holds. */
type Recipe = () => unknown;

const { recipe } = fc.letrec<{ recipe: Recipe }>((tie) => {
  const items = fc.array(tie('recipe'), { maxLength: 4 });
  const entries = fc.array(fc.tuple(field, tie('recipe')), { maxLength: 4 });
  const made = (recipes: readonly Recipe[]): unknown[] => recipes.map((make) => make());
  const filled = (pairs: readonly (readonly [string, Recipe])[]) =>
    pairs.map(([key, make]) => [key, make()] as const);
  const constants = [undefined, Number.NaN, -0, 5n, Symbol('s'), trap];
  return {
    recipe: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar.map((value) => () => value),
      fc.nat(constants.length - 1).map((place) => () => constants[place]),
      items.map((members) => () => made(members)),
      entries.map((pairs) => () => Object.fromEntries(filled(pairs))),
      entries.map((pairs) => () => new Map(filled(pairs))),
      items.map((members) => () => new Set(made(members))),
      tie('recipe').map((a) => () => new Entity(a())),
      fc.constantFrom<Recipe>(
        () => new Date(0),
        () => new Proxy({}, handler),
        () => Array.from({ length: 300 }, (_, place) => ({ a: place, b: 'b' })),
      ),
      tie('recipe').map((a) => () => Object.defineProperty({ a: a() }, 'b', { get: trap, enumerable: true })),
      items.map((members) => () => Object.defineProperty(made(members), 0, { get: trap, enumerable: true })),
      tie('recipe').map((a) => () => {
        const loop: Record<string, unknown> = { a: a() };
        loop.b = loop;
        return loop;
      }),
    ),
  };
});

/** All there is to see of a value; runs none of its code. */
function picture(value: unknown): string {
  return inspect(value, { depth: 20, maxArrayLength: null, showProxy: true });
}

type Outcome = { readonly value: unknown } | { readonly limit: string };

function outcomeOf(node: ExpressionNode, x: unknown, y: unknown): Outcome {
  let ticks = 0;
  const tick = (): unknown => {
    ticks++;
    return x;
  };
  const variables = { x, y, i: 'outer' };
  try {
    return { value: compiled(node, variables, { tick }).evaluate({ variables, functions: { tick } }) };
  } catch (error) {
    if (error instanceof ExpressionLimitException) return { limit: error.limit };
    throw error;
  } finally {
    expect(ticks).toBeLessThanOrEqual(STEP_LIMIT);
  }
}

it('any expression over any data gives plain data or meets a limit, runs no code of the data and changes nothing', () => {
  let values = 0;
  fc.assert(
    fc.property(tree, recipe, recipe, (node, makeX, makeY) => {
      const [x, y] = [makeX(), makeY()];
      const before = [picture(x), picture(y)];
      ran.count = 0;
      const outcome = outcomeOf(node, x, y);
      expect(outcomeOf(node, x, y)).toStrictEqual(outcome);
      expect(ran.count).toBe(0);
      expect([picture(x), picture(y)]).toEqual(before);
      const value = 'value' in outcome ? outcome.value : null;
      expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value);
      if (value !== null) values++;
    }),
    { numRuns },
  );
  expect(values).toBeGreaterThan(0);
});
