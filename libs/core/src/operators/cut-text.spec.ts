import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from './cut-text.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

describe('cutText', () => {
  it('leaves a text that fits', () => {
    expect(cutText('abc', 3)).toBe('abc');
  });

  it('keeps head and tail and says how much is missing', () => {
    const text = `${'h'.repeat(500)}${'t'.repeat(500)}`;
    const cut = cutText(text, 100);
    const [, head = '', count = '', tail = ''] = /^(h+)\n… \[(\d+) characters cut\] …\n(t+)$/.exec(cut) ?? [];
    expect(cut.length).toBeLessThanOrEqual(100);
    expect(head.length).toBeGreaterThan(tail.length);
    expect(head.length + Number(count) + tail.length).toBe(1000);
  });

  it('gives the head alone where the note has no room', () => {
    expect(cutText('abcdefghij'.repeat(9), 4)).toBe('abcd');
    expect(cutText('abc', 0)).toBe('');
  });

  it('never leaves half a character, nor more than the limit', () => {
    const text = fc.string({ unit: fc.constantFrom('🔥', 'a'), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.nat(200), (whole, limit) => {
        const cut = cutText(whole, limit);
        expect(cut.isWellFormed()).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns },
    );
  });
});
