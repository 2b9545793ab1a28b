import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import { HEURISTIC_TOKEN_ESTIMATOR } from './heuristic-token-estimator.js';
import { fairShare, shortenToolResult } from './shortened-result.js';

describe('fairShare', () => {
  it('lets small ones be and gives the large ones the same', () => {
    expect(fairShare([100, 1000, 500], 700)).toBe(300);
    expect(fairShare([100, 1000, 500], 1300)).toBe(700);
  });

  it('is 0 where nothing is available, and no limit where nothing must be cut', () => {
    expect(fairShare([10, 20], -5)).toBe(0);
    expect(fairShare([10, 20], 30)).toBe(Number.POSITIVE_INFINITY);
    expect(fairShare([], -5)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('shortenToolResult', () => {
  const estimate = (message: LlmMessage): number => HEURISTIC_TOKEN_ESTIMATOR.estimate(message);
  const whole: LlmMessage = {
    role: 'tool',
    content: `first line\n${'a row of the table, 12.50 EUR\n'.repeat(400)}last line`,
    toolCallId: 'c',
  };

  it.each([64, 200, 1000])('keeps head and tail within %i tokens', (limit) => {
    const shortened = shortenToolResult(whole, limit, estimate);
    expect(estimate(shortened)).toBeLessThanOrEqual(limit);
    expect(estimate(shortened)).toBeGreaterThan(limit / 2);
    expect(shortened.content).toMatch(/^first line/);
    expect(shortened.content).toMatch(/last line$/);
    expect(shortened).toMatchObject({ role: 'tool', toolCallId: 'c' });
    expect(Object.isFrozen(shortened)).toBe(true);
  });

  it('leaves no half of a character', () => {
    const faces = { ...whole, content: '\u{1F525}'.repeat(2000) };
    for (let limit = 60; limit < 90; limit++) {
      expect(shortenToolResult(faces, limit, estimate).content?.isWellFormed()).toBe(true);
    }
  });

  it('keeps the note and something of the text, whatever the estimator says', () => {
    const { content } = shortenToolResult(whole, 10, () => 1000);
    expect(content).toMatch(/^first line.*cut.*last line$/s);
    expect(content!.length).toBeLessThanOrEqual(100);
  });

  it('gives a result that fits as it is', () => {
    expect(shortenToolResult(whole, 100_000, estimate)).toBe(whole);
  });
});
