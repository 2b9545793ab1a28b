import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from './exact-json.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

describe('parseExactJson', () => {
  it('keeps the digits of integers that a number would round', () => {
    const text = '{"id":9007199254740993,"list":[-9007199254740993, 18446744073709551615]}';
    expect(parseExactJson(text)).toEqual({
      id: '9007199254740993',
      list: ['-9007199254740993', '18446744073709551615'],
    });
    expect(parseExactJson('12345678901234567890')).toBe('12345678901234567890');
  });

  it.each([
    '9007199254740991',
    '1000000000000000',
    '1234567890123456789.5',
    '12345678901234567890e2',
    '1E30',
    '-0.25',
    '"id 9007199254740993"',
    '"a\\\\\\"9007199254740993"',
    '{"9007199254740993":[true,false,null]}',
  ])('leaves %s to JSON.parse', (text) => {
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it.each(['', '{', '"a', '"\\', '9007199254740993x', '[9007199254740993'])('refuses %j', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('reads everything else as JSON.parse does', () => {
    const digits = (_key: string, value: unknown): unknown =>
      Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(String(value))
        ? String(value)
        : value;
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(parseExactJson(text)).toEqual(JSON.parse(text, digits));
      }),
      { numRuns },
    );
  });
});
