import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toJsonSafe } from './json-safe.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);
const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const ANYTHING = fc.anything({
  key: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'toJSON')),
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  values: [
    fc.anything(),
    fc.string({ unit: 'binary' }),
    fc.date({ noInvalidDate: false }),
    fc.double(),
    fc.func(fc.anything()),
  ],
});

describe('toJsonSafe', () => {
  it('gives plain JSON back as it is', () => {
    const value = { a: [1, 'x', null, { b: true }] };
    expect(toJsonSafe(value)).toBe(value);
  });

  it.each([
    ['undefined', undefined, null],
    ['null', null, null],
    ['a function', () => 1, null],
    ['a symbol', Symbol('s'), null],
    ['a bigint', 12345678901234567890n, '12345678901234567890'],
    ['NaN', Number.NaN, null],
    ['infinity', -Infinity, null],
    ['minus zero', -0, 0],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), null],
    [
      'a map with string keys',
      new Map<string, unknown>([
        ['a', 1n],
        ['f', () => 1],
      ]),
      { a: '1' },
    ],
    ['an empty map', new Map(), {}],
    [
      'a map with other keys',
      new Map<unknown, unknown>([
        [1, 'a'],
        [{ k: 1 }, new Set()],
      ]),
      [
        [1, 'a'],
        [{ k: 1 }, []],
      ],
    ],
    ['a set', new Set([1, 2n]), [1, '2']],
    ['a buffer', Buffer.from('hi'), { type: 'Buffer', base64: 'aGk=' }],
    ['a typed array', new Uint16Array([1]), { type: 'Buffer', base64: 'AQA=' }],
    ['a part of a buffer', new Uint8Array([0, 1, 2, 3]).subarray(1, 3), { type: 'Buffer', base64: 'AQI=' }],
    ['an array buffer', new ArrayBuffer(1), { type: 'Buffer', base64: 'AA==' }],
    [
      'an error',
      Object.assign(new TypeError('no'), { token: 'secret' }),
      { name: 'TypeError', message: 'no' },
    ],
    ['an error of another realm', runInNewContext('new Error("far")'), { name: 'Error', message: 'far' }],
    ['a URL', new URL('http://x.test/'), 'http://x.test/'],
    ['boxed values', [Object('s'), Object(1), Object(true), Object(1n)], ['s', 1, true, '1']],
    ['nothing in arrays', [undefined, () => 1, Symbol('s')], [null, null, null]],
    ['nothing in objects', { a: undefined, b: () => 1, c: Symbol('s'), d: 1 }, { d: 1 }],
    ['a broken key alone', { 'k\ud83d': 1 }, { 'k\ufffd': 1 }],
    ['broken text', { 'k\ud83d': 'v\0\udd25' }, { 'k\ufffd': 'v\ufffd' }],
  ])('%s', (_name, value, expected) => {
    expect(toJsonSafe(value)).toStrictEqual(expected);
  });

  it('B125: has one form, live and after a round trip', () => {
    const safe = toJsonSafe({ n: 1, d: new Date(0), b: 10n, m: new Map(), s: new Set(['x']) });
    expect(safe).toStrictEqual({ n: 1, d: '1970-01-01T00:00:00.000Z', b: '10', m: {}, s: ['x'] });
    expect(roundTrip(safe)).toStrictEqual(safe);
  });

  it('takes the own enumerable properties of an instance', () => {
    class Order {
      readonly id = 7;
      readonly #secret = 'x';
      get total(): string {
        return this.#secret;
      }
    }
    expect(toJsonSafe(new Order())).toStrictEqual({ id: 7 });
  });

  it('marks what is circular, and only that', () => {
    const shared = { x: 1 };
    const node: Record<string, unknown> = { one: shared, two: shared };
    node['self'] = { list: [node] };
    expect(toJsonSafe(node)).toStrictEqual({ one: { x: 1 }, two: { x: 1 }, self: { list: ['[Circular]'] } });
    const map = new Map<string, unknown>();
    map.set('self', map);
    expect(toJsonSafe(map)).toStrictEqual({ self: '[Circular]' });
  });

  it('asks toJSON once, with the key', () => {
    const keyed = { toJSON: (key: string) => `key ${key}` };
    expect(toJsonSafe({ a: keyed, l: [keyed] })).toStrictEqual({ a: 'key a', l: ['key 0'] });
    const own = { n: 1n, toJSON: (): unknown => own };
    expect(toJsonSafe(own)).toStrictEqual({ n: '1' });
    const chain: unknown = { toJSON: () => ({ a: 1, toJSON: () => 'not asked' }) };
    expect(toJsonSafe(chain)).toStrictEqual({ a: 1 });
    const endless = { toJSON: (): unknown => ({ next: { toJSON: endless.toJSON } }) };
    expect(JSON.stringify(toJsonSafe(endless))).toContain('[Too deep]');
  });

  it('says what could not be read, and reads the rest', () => {
    const hostile = {
      ok: 1,
      get bad(): never {
        throw new Error('no access');
      },
      json: {
        toJSON(): never {
          throw new Error('no form');
        },
      },
    };
    expect(toJsonSafe(hostile)).toStrictEqual({
      ok: 1,
      bad: '[Unserializable: no access]',
      json: '[Unserializable: no form]',
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(toJsonSafe([proxy])).toStrictEqual([expect.stringContaining('[Unserializable: ')]);
  });

  it('cuts what is nested too deep', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 200; level++) deep = [deep];
    expect(toJsonSafe(deep)).toBe(deep);
    for (let level = 0; level < 20_000; level++) deep = { deep };
    expect(JSON.stringify(toJsonSafe(deep))).toContain('{"deep":"[Too deep]"}');
  });

  it('cuts what grows without end', () => {
    let node: unknown = { end: 1 };
    for (let level = 0; level < 60; level++) node = { a: node, b: node };
    expect(JSON.stringify(toJsonSafe(node))).toContain('[Too large]');
  });

  it('keeps an own __proto__ a mere property', () => {
    const parsed: unknown = JSON.parse('{"__proto__":{"admin":true},"n":-0}');
    const safe = toJsonSafe(parsed) as Record<string, unknown>;
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype);
    expect(JSON.stringify(safe)).toBe('{"__proto__":{"admin":true},"n":0}');
  });

  it('equals itself after a round trip, whatever the value', () => {
    fc.assert(
      fc.property(ANYTHING, (value) => {
        const safe = toJsonSafe(value);
        const text = JSON.stringify(safe);
        expect(JSON.parse(text)).toEqual(safe);
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
        expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
      }),
      { numRuns },
    );
  });
});
