import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWellFormed, wellFormed } from './well-formed.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

describe('wellFormed', () => {
  it('gives ordinary text back as it is', () => {
    expect(wellFormed('Grüße 🔥')).toBe('Grüße 🔥');
  });

  it('replaces half surrogates and removes NUL', () => {
    expect(wellFormed('a\ud83d')).toBe('a\ufffd');
    expect(wellFormed('\udd25b')).toBe('\ufffdb');
    expect(wellFormed('a\0b\0')).toBe('ab');
    expect(wellFormed('\ud83d\0\udd25')).toBe('\ufffd\ufffd');
  });

  it('leaves nothing to do, whatever the text', () => {
    const halves = fc.constantFrom('\ud83d', '\udd25', '\0', 'a', '🔥');
    fc.assert(
      fc.property(fc.array(halves), (units) => {
        expect(isWellFormed(wellFormed(units.join('')))).toBe(true);
      }),
      { numRuns },
    );
  });
});
