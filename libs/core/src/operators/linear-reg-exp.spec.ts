import { describe, expect, it } from 'vitest';
import { isSupportedPattern, linearRegExp, UnsupportedPatternError } from './linear-reg-exp.js';

describe('linearRegExp', () => {
  it('matches anywhere in the text, as patterns of schemas do', () => {
    expect(linearRegExp('b+').test('abbc')).toBe(true);
    expect(linearRegExp('^b+$').test('abbc')).toBe(false);
    expect(linearRegExp('^\\d{4}-\\d{2}$').test('2026-11')).toBe(true);
  });

  it("reads the language's own notation", () => {
    expect(linearRegExp('^\\u00e9\\u{1F525}$').test('é🔥')).toBe(true);
    expect(linearRegExp('^(?<year>\\d+)\\/\\p{L}$').test('26/ü')).toBe(true);
    expect(linearRegExp('^[^]$').test('\n')).toBe(true);
  });

  it('is done at once where the own engine needs minutes', () => {
    const started = performance.now();
    expect(linearRegExp('^(a+)+$').test(`${'a'.repeat(50_000)}!`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each(['(?=a)b', '(?<!a)b', '(a)\\1', '('])('refuses %s', (pattern) => {
    expect(() => linearRegExp(pattern)).toThrow(UnsupportedPatternError);
    expect(isSupportedPattern(pattern)).toBe(false);
  });
});
