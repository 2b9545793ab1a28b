import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonErrorPosition } from './json-error-position.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

describe('jsonErrorPosition', () => {
  it.each([
    ['{bad', 1],
    ['{"a":bad}', 5],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{"a":1 "b":2}', 7],
    ['{"a":01}', 6],
    ['[1,]', 3],
    ['[1}', 2],
    ['{,}', 1],
    ['{"a":"line\nbreak"}', 10],
    ['{"a":"\\x"}', 6],
    ['{} {}', 3],
    ['\ufeff{}', 0],
  ])('%j stops being JSON at %i', (text, position) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(jsonErrorPosition(text)).toBe(position);
  });

  it.each(['', '{', '{"a', '{"a"', '{"a":', '{"a":1', '[1,', '["a\\u00'])('%j ends too early', (text) => {
    expect(jsonErrorPosition(text)).toBeGreaterThanOrEqual(text.trimEnd().length - 4);
  });

  it('finds nothing wrong in valid JSON, and what is wrong behind it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
        const text = `${space}${json}${space}`;
        expect(jsonErrorPosition(text)).toBe(text.length);
        expect(jsonErrorPosition(`${text}?`)).toBe(text.length);
      }),
      { numRuns },
    );
  });

  it('takes nesting of any depth', () => {
    expect(jsonErrorPosition('['.repeat(500_000))).toBe(500_000);
  });
});
