import { describe, expect, it } from 'vitest';
import { invoked, lambda, literal, variable } from '../../../../../test/support/expression-tree.js';
import type { ExpressionNode } from '../syntax-tree.js';
import { LIST_METHODS } from './list-methods.js';
import { METHOD_NAMES, METHODS, methodSignature } from './methods.js';
import { BOOLEAN_METHODS, NUMBER_METHODS } from './number-methods.js';
import { OBJECT_METHODS } from './object-methods.js';
import { STRING_METHODS } from './string-methods.js';

const TABLES = {
  string: STRING_METHODS,
  list: LIST_METHODS,
  object: OBJECT_METHODS,
  number: NUMBER_METHODS,
  boolean: BOOLEAN_METHODS,
};

const RECEIVERS = { string: 'a', list: [1], object: { a: 1 }, number: 1, boolean: true, null: null } as const;

const SAMPLE = lambda('i', variable('i'));

/** Arguments that fit a method's signature. */
function fittingArguments(name: string): ExpressionNode[] {
  const { minArguments, lambda: takes } = methodSignature(name)!;
  return takes === 'always' ? [SAMPLE] : Array.from({ length: minArguments }, () => literal('a'));
}

describe('every method', () => {
  it('is listed once', () => {
    const names = Object.values(TABLES).flatMap((table) => Object.keys(table));
    expect(METHOD_NAMES).toEqual([...new Set(names)]);
    expect(methodSignature('constructor')).toBeUndefined();
    expect(methodSignature('hasOwnProperty')).toBeUndefined();
  });

  it.each(METHOD_NAMES)('%s has one signature on all types', (name) => {
    const tables = Object.values(TABLES).filter((table) => Object.hasOwn(table, name));
    expect(tables.map((table) => table[name])).toMatchObject(tables.map(() => methodSignature(name)));
  });

  it.each(METHOD_NAMES)('%s gives null where the type has none', (name) => {
    const others = Object.entries(TABLES).filter(([, table]) => !Object.hasOwn(table, name));
    for (const type of ['null', ...others.map(([key]) => key)] as (keyof typeof RECEIVERS)[]) {
      expect(invoked(RECEIVERS[type], name, ...fittingArguments(name))).toBeNull();
    }
  });

  it.each(METHOD_NAMES)('%s gives null for arguments that its signature has no room for', (name) => {
    const { minArguments, maxArguments, lambda: takes } = methodSignature(name)!;
    const texts = (count: number): ExpressionNode[] => Array.from({ length: count }, () => literal('a'));
    const unfit = [
      texts(maxArguments + 1),
      [SAMPLE, ...texts(maxArguments)],
      ...(minArguments > 0 ? [texts(minArguments - 1)] : []),
      ...(takes === 'never' ? [[SAMPLE], [SAMPLE, SAMPLE]] : [[literal(1)], [literal(null)]]),
    ];
    for (const args of unfit) {
      for (const receiver of Object.values(RECEIVERS)) expect(invoked(receiver, name, ...args)).toBeNull();
    }
  });

  it('of an unknown name gives null', () => {
    for (const receiver of Object.values(RECEIVERS))
      expect(invoked(receiver, 'matches', literal('.*'))).toBeNull();
  });

  it('groups know their types', () => {
    expect(METHODS.get('contains')).toMatchObject({
      string: STRING_METHODS.contains,
      list: LIST_METHODS.contains,
      object: undefined,
      number: undefined,
    });
  });
});
