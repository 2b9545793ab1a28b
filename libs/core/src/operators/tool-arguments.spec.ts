import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToolArguments } from './tool-arguments.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

const valueOf = (text: string): unknown => {
  const parsed = parseToolArguments(text);
  return parsed.ok ? parsed.value : parsed;
};
const codeOf = (text: string): string => {
  const parsed = parseToolArguments(text);
  return parsed.ok ? 'ok' : parsed.code;
};
const some = (value: unknown, test: (key: string, part: unknown) => boolean): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Reflect.ownKeys(value).some((key) => {
    const part: unknown = Reflect.get(value, key);
    return test(String(key), part) || some(part, test);
  });

describe('parseToolArguments', () => {
  it('reads an object', () => {
    expect(valueOf('{"city":"Paris","days":[1,2.5,null]}')).toEqual({ city: 'Paris', days: [1, 2.5, null] });
  });

  it.each(['', '  \n', 'null', ' null ', '""', '"null"'])('takes %j for no arguments', (text) => {
    expect(valueOf(text)).toEqual({});
  });

  it('B19: decodes an object that was encoded twice', () => {
    const object = { city: 'Paris', note: 'say "hi"' };
    expect(valueOf(JSON.stringify(object))).toEqual(object);
    expect(valueOf(JSON.stringify(JSON.stringify(object)))).toEqual(object);
    expect(codeOf(JSON.stringify(JSON.stringify(JSON.stringify(object))))).toBe('invalid_arguments');
  });

  it.each([
    ['[1]', 'an array'],
    ['"[1]"', 'an array'],
    ['"Paris"', 'a string'],
    ['5', 'a number'],
    ['true', 'a boolean'],
  ])('refuses %s and says that it is %s', (text, type) => {
    expect(valueOf(text)).toEqual({
      ok: false,
      code: 'invalid_arguments',
      message: `The arguments must be a JSON object, not ${type}.`,
    });
  });

  it('tells where invalid JSON goes wrong', () => {
    expect(valueOf('{"city":Paris}')).toEqual({
      ok: false,
      code: 'invalid_json',
      message:
        'The arguments are not valid JSON: unexpected "P" at position 8, near {"city":Paris}. Send one JSON object.',
    });
    const cut = parseToolArguments(`{"text":"${'🔥'.repeat(40)}`);
    expect(cut).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('unexpected end at position 89'),
    });
    expect(JSON.stringify(cut).length).toBeLessThan(200);
    expect(cut.ok ? '' : cut.message.isWellFormed()).toBe(true);
  });

  it('B13: does not take the first of two objects', () => {
    expect(codeOf('{"id":"1"}, "dryRun":true}')).toBe('invalid_json');
  });

  it('drops the keys that reach a prototype, at any depth and however they are escaped', () => {
    const text =
      '{"a":1,"__proto__":{"admin":true},"b":[{"constructor":{"prototype":1},"c":2}],' +
      '"\\u005f_proto__":1,"\\u0063onstructor":1,"prototype":{}}';
    const value = valueOf(text);
    expect(value).toEqual({ a: 1, b: [{ c: 2 }] });
    expect(some(value, (key) => FORBIDDEN.includes(key))).toBe(false);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('keeps the words of forbidden keys in values', () => {
    expect(valueOf('{"a":"__proto__","b":["constructor"]}')).toEqual({ a: '__proto__', b: ['constructor'] });
  });

  it('B59: keeps the digits of integers beyond 2^53', () => {
    expect(valueOf('{"id":9007199254740993}')).toEqual({ id: '9007199254740993' });
    expect(valueOf('{"id":-9007199254740993,"in":[12345678901234567890123]}')).toEqual({
      id: '-9007199254740993',
      in: ['12345678901234567890123'],
    });
    expect(valueOf('{"id":9007199254740991}')).toEqual({ id: 9007199254740991 });
    expect(valueOf(JSON.stringify('{"id":9007199254740993}'))).toEqual({ id: '9007199254740993' });
  });

  it('B59: leaves fractions, exponents and digits within strings', () => {
    const text =
      '{"a":1e20,"b":9007199254740993.0,"c":"is 9007199254740993","\\"9007199254740993":1,"d":1234567890123456789}';
    expect(valueOf(text)).toEqual({
      a: 1e20,
      b: Number('9007199254740993.0'),
      c: 'is 9007199254740993',
      '"9007199254740993': 1,
      d: '1234567890123456789',
    });
  });

  it('allows 64 levels and no more', () => {
    const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
    expect(codeOf(nested(64))).toBe('ok');
    expect(codeOf(nested(65))).toBe('limit');
    expect(codeOf(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`)).toBe('limit');
    expect(codeOf('[{"a":'.repeat(100_000))).toBe('invalid_json');
    expect(codeOf(`{"a":${JSON.stringify('['.repeat(100))}}`)).toBe('ok');
  });

  it('allows 1 MiB of UTF-8 and no more', () => {
    const text = (length: number, unit: string): string => JSON.stringify({ a: unit.repeat(length) });
    expect(codeOf(text(1024 * 1024 - 8, 'x'))).toBe('ok');
    expect(codeOf(text(1024 * 1024 - 7, 'x'))).toBe('limit');
    expect(codeOf(text(349_525, '€'))).toBe('limit');
    expect(codeOf(text(349_520, '€'))).toBe('ok');
  });

  it('never throws and never lets a forbidden key through, whatever the text', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom(...FORBIDDEN, '\\u005f_proto__'));
    const fragment = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      key.map((name) => `{"${name}":1}`),
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '9007199254740993', '-'),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fragment).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (sent) => {
        const parsed = parseToolArguments(sent);
        const isRight = parsed.ok
          ? !some(parsed.value, (name) => FORBIDDEN.includes(name))
          : parsed.message.isWellFormed() && parsed.message.length < 400;
        expect(isRight).toBe(true);
      }),
      { numRuns },
    );
  });

  it('never lets a forbidden key through from an object that has some', () => {
    const tree = fc.object({
      key: fc.oneof(fc.string(), fc.constantFrom(...FORBIDDEN)),
      withNullPrototype: true,
    });
    fc.assert(
      fc.property(tree, (object) => {
        const parsed = parseToolArguments(JSON.stringify(object));
        expect(parsed.ok && !some(parsed.value, (name) => FORBIDDEN.includes(name))).toBe(true);
      }),
      { numRuns },
    );
  });

  it('gives plain JSON as it was', () => {
    const isKept = (name: string, part: unknown): boolean =>
      FORBIDDEN.includes(name) || (Number.isInteger(part) && !Number.isSafeInteger(part));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ depthSize: 'small' })), (object) => {
        fc.pre(!some(object, isKept));
        const text = JSON.stringify(object);
        expect(valueOf(text)).toEqual(JSON.parse(text));
        expect(JSON.stringify(valueOf(text))).toBe(text);
      }),
      { numRuns },
    );
  });
});
