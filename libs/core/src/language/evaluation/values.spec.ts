import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import {
  binary,
  evaluated,
  index,
  list,
  literal,
  member,
  method,
  template,
  variable,
} from '../../../../../test/support/expression-tree.js';
import { toJsonSafe } from '../../operators/json-safe.js';

const X = variable('x');
const read = (x: unknown, name: string): unknown => evaluated(member(X, name), { x });
const whole = (x: unknown): unknown => evaluated(X, { x });

class Account {
  id = 7;
  owner = { name: 'Ada' };
  since = new Date(0);
  #password = 'secret';
  onChange = (): string => this.#password;
  get password(): string {
    return this.#password;
  }
  close(): string {
    return this.#password;
  }
}

/** Every way an expression has to reach a name of an object. */
function reached(x: unknown, name: string): unknown[] {
  return [
    member(X, name),
    member(X, name, true),
    index(X, literal(name)),
    index(X, template(name)),
    method(X, name),
    method(X, name, literal('return process')),
    member(member(X, name), name),
    method(member(X, name), 'toString'),
  ].map((node) => evaluated(node, { x }));
}

const PROTOTYPE_NAMES = [
  'constructor',
  '__proto__',
  'prototype',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'valueOf',
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  'call',
  'apply',
  'bind',
  'at',
  'push',
  'concat',
  'normalize',
  'then',
];

describe('what is on a prototype is out of reach', () => {
  it.each(PROTOTYPE_NAMES)('%s', (name) => {
    const values = [
      {},
      Object.create(null),
      [],
      'text',
      1,
      true,
      null,
      new Account(),
      new Map(),
      new Date(0),
      () => 1,
    ];
    for (const x of values) expect(reached(x, name).every((value) => value === null)).toBe(true);
  });

  it('toString is a method of ours, and no field', () => {
    expect(read({}, 'toString')).toBeNull();
    expect(read([], 'toString')).toBeNull();
    const x = { toString: () => 'called', toJSON: () => 'called', a: 1 };
    expect(evaluated(method(X, 'toString'), { x })).toBe('{"a":1}');
    expect(evaluated(template(X), { x })).toBe('{"a":1}');
  });

  it.each(['constructor', '__proto__', 'prototype'])('%s is null also where an object owns it', (name) => {
    const x = JSON.parse(`{"${name}": {"a": 1}, "b": 2}`) as object;
    expect(Object.keys(x)).toContain(name);
    expect(reached(x, name).every((value) => value === null)).toBe(true);
    expect(reached(new Map([[name, 1]]), name).every((value) => value === null)).toBe(true);
    expect(whole(x)).toEqual({ b: 2 });
    expect(evaluated(method(X, 'keys'), { x })).toEqual(['b']);
    expect(evaluated(method(X, 'has', literal(name)), { x })).toBe(false);
    expect(evaluated(template(X), { x })).toBe('{"b":2}');
  });

  it('other names of Object.prototype are fields where an object owns them', () => {
    for (const name of ['hasOwnProperty', 'valueOf', 'toString', 'keys'])
      expect(read({ [name]: 1 }, name)).toBe(1);
  });

  it('an inherited field is no field', () => {
    const x = Object.assign(Object.create({ inherited: 1 }) as object, { own: 2 });
    expect(read(x, 'inherited')).toBeNull();
    expect(read(x, 'own')).toBe(2);
    expect(whole(x)).toEqual({ own: 2 });
  });
});

describe('no code of a value runs', () => {
  it('getters', () => {
    const getter = vi.fn(() => {
      throw new Error('ran');
    });
    const x = Object.defineProperty({ a: 1 }, 'b', { get: getter, enumerable: true });
    const y = Object.defineProperty([1, 2], 1, { get: getter, enumerable: true });
    expect(read(x, 'b')).toBeNull();
    expect(whole(x)).toEqual({ a: 1 });
    expect(whole(y)).toEqual([1, null]);
    for (const name of ['keys', 'values', 'size', 'isEmpty', 'toString']) evaluated(method(X, name), { x });
    for (const name of ['last', 'reverse', 'distinct', 'join', 'sum', 'flatten'])
      evaluated(method(X, name), { x: y });
    expect(getter).not.toHaveBeenCalled();
  });

  it('Proxies: all is null', () => {
    const trap = vi.fn(() => {
      throw new Error('ran');
    });
    const handler = Object.fromEntries(
      Object.getOwnPropertyNames(Reflect).map((name) => [name, trap]),
    ) as ProxyHandler<object>;
    for (const target of [{ a: 1 }, [1], new Map(), new Date(), (): number => 1]) {
      const x = new Proxy<object>(target, handler);
      expect(whole(x)).toBeNull();
      expect(read(x, 'a')).toBeNull();
      expect(whole([x])).toEqual([null]);
    }
    const { proxy, revoke } = Proxy.revocable<object>([], {});
    revoke();
    expect(whole(proxy)).toBeNull();
    expect(trap).not.toHaveBeenCalled();
  });

  it('methods, iterators and species of subclasses', () => {
    const ran = vi.fn(() => {
      throw new Error('ran');
    });
    class Sly extends Array<number> {
      static override get [Symbol.species](): ArrayConstructor {
        return ran();
      }
      override [Symbol.iterator](): ArrayIterator<number> {
        return ran();
      }
      override map = ran;
      override slice = ran;
    }
    const x = Sly.of(3, 1, 3);
    Object.defineProperty(x, 'constructor', { get: ran });
    for (const name of ['reverse', 'distinct', 'flatten', 'join', 'max', 'first', 'toString']) {
      expect(evaluated(method(X, name), { x })).not.toBeNull();
    }
    class SlyMap extends Map<string, number> {
      override get = ran;
      override forEach = ran;
      override keys = ran;
    }
    const map = new SlyMap();
    map.set('a', 1);
    expect(whole(map)).toEqual({ a: 1 });
    class SlySet extends Set<number> {
      override forEach = ran;
      override values = ran;
    }
    expect(whole(new SlySet([1]))).toEqual([1]);
    class SlyDate extends Date {
      override toISOString = ran;
      override getTime = ran;
      override valueOf = ran;
    }
    expect(whole(new SlyDate(0))).toBe('1970-01-01T00:00:00.000Z');
    expect(ran).not.toHaveBeenCalled();
  });
});

describe('what values are seen as', () => {
  it.each([
    [undefined, null],
    [() => 1, null],
    [class {}, null],
    [Symbol('s'), null],
    [Number.NaN, null],
    [Number.NEGATIVE_INFINITY, null],
    [-0, 0],
    [2n ** 70n, '1180591620717411303424'],
    [new Date(Number.NaN), null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Set([1, new Set(['a'])]), [1, ['a']]],
    [
      new Map<unknown, unknown>([
        ['a', new Map([['b', 1]])],
        [1, 2],
      ]),
      { a: { b: 1 } },
    ],
    [Buffer.from('secret'), null],
    [new Float64Array(2), null],
    [new ArrayBuffer(8), null],
    [Object('x'), 'x'],
    [Object(false), false],
    [Object(-0), 0],
    [Object(2n ** 70n), '1180591620717411303424'],
    [Promise.resolve(1), {}],
    [/secret/, {}],
    [new WeakMap(), {}],
    [new Account(), { id: 7, owner: { name: 'Ada' }, since: '1970-01-01T00:00:00.000Z' }],
    [Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
    [{ a: undefined, b: () => 1, c: Symbol('s'), d: Number.NaN }, { d: null }],
    [{ [Symbol('s')]: 1, a: 1 }, { a: 1 }],
    [Object.defineProperty({ a: 1 }, 'hidden', { value: 1 }), { a: 1 }],
    [
      [undefined, () => 1, Symbol('s')],
      [null, null, null],
    ],
    [runInNewContext('({ a: [1, { b: new Date(0) }] })'), { a: [1, { b: '1970-01-01T00:00:00.000Z' }] }],
  ])('case %#', (x, wanted) => {
    expect(whole(x)).toEqual(wanted);
    expect(evaluated(member(member(X, 'inner'), 'field'), { x: { inner: { field: x } } })).toEqual(wanted);
    expect(evaluated(index(X, literal(0)), { x: [x] })).toEqual(wanted);
  });

  it('half a character does not leave', () => {
    const x = 'a\u{1F600}b';
    const half = method(X, 'slice', literal(0), literal(2));
    expect(evaluated(half, { x })).toBe('a\uFFFD');
    expect(evaluated(list(half), { x })).toEqual(['a\uFFFD']);
    expect(whole({ 'k\uD83D': 1 })).toEqual({ 'k\uFFFD': 1 });
    const other = method(X, 'slice', literal(2));
    expect(evaluated(binary(half, '+', other), { x })).toBe(x);
  });

  it('an error shows no stack', () => {
    expect(whole(new Error('secret'))).toEqual({});
    expect(read(new Error('secret'), 'stack')).toBeNull();
  });

  it('has a field: what JSON shows of it, null included', () => {
    const x = { a: null, b: undefined, c: () => 1, d: 1 };
    const has = (name: string): unknown => evaluated(method(X, 'has', literal(name)), { x });
    expect(['a', 'b', 'c', 'd', 'e'].map(has)).toEqual([true, false, false, true, false]);
  });

  it('data that runs no code is seen as a tool result is', () => {
    const x = {
      map: new Map([['k', [1n, new Date(5)]]]),
      set: new Set([undefined, 'a']),
      plain: { f: () => 1, n: Number.NaN, deep: [{ u: undefined }] },
    };
    expect(whole(x)).toEqual(toJsonSafe(x));
  });
});
