import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../messages/well-formed.js';
import { toJsonSafe } from './json-safe.js';
import { resultText } from './result-text.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

describe('resultText', () => {
  it('gives strings verbatim', () => {
    expect(resultText('{"a": 1}\n')).toBe('{"a": 1}\n');
    expect(resultText('a\0\ud83d')).toBe('a\ufffd');
  });

  it('gives all else as JSON', () => {
    expect(resultText({ temperature: 21, sky: 'clear' })).toBe('{"temperature":21,"sky":"clear"}');
    expect(resultText([1, new Set(['a'])])).toBe('[1,["a"]]');
    expect(resultText(false)).toBe('false');
  });

  it('has a text for nothing', () => {
    expect(resultText(undefined)).toBe('null');
    expect(resultText(null)).toBe('null');
    expect(resultText(() => 1)).toBe('null');
    expect(resultText('')).toBe('(empty)');
    expect(resultText('\0')).toBe('(empty)');
  });

  it('does not quote what has a string for its JSON form', () => {
    expect(resultText(10n)).toBe('10');
    expect(resultText(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });

  it('cuts to 20,000 characters, or to the limit it is given', () => {
    expect(resultText('x'.repeat(20_000))).toHaveLength(20_000);
    expect(resultText('x'.repeat(20_001)).length).toBeLessThanOrEqual(20_000);
    expect(resultText({ text: 'x'.repeat(500) }, 100)).toMatch(
      /^\{"text":"x+\n… \[\d+ characters cut\] …\nx+"\}$/,
    );
  });

  it('B73: never leaves half an emoji', () => {
    for (let limit = 60; limit < 70; limit++) {
      const text = resultText('x'.repeat(limit - 1) + '\u{1f525}', limit);
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(resultText('\u{1f525}'.repeat(100), limit).isWellFormed()).toBe(true);
    }
  });

  it('answers for a getter that throws the second time', () => {
    let reads = 0;
    const moody = {
      get value(): number {
        reads += 1;
        if (reads > 1) throw new Error('not again');
        return 1;
      },
    };
    expect(resultText(moody)).toBe('[Unserializable: not again]');
  });

  it('is well-formed text within the limit, for anything', () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      values: [fc.string({ unit: 'binary' }), fc.anything()],
    });
    fc.assert(
      fc.property(anything, fc.nat(300), (value, limit) => {
        const text = resultText(value, limit);
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(isWellFormed(text)).toBe(true);
        expect(resultText(toJsonSafe(value), limit)).toBe(text);
      }),
      { numRuns },
    );
  });
});
