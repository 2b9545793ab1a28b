import { describe, expect, it } from 'vitest';
import { parseUsage } from './usage.js';

describe('parseUsage', () => {
  it('reads counts and their details', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 80 },
      completion_tokens_details: { reasoning_tokens: 15 },
    };
    expect(parseUsage(usage)).toEqual({
      promptTokens: 100,
      completionTokens: 20,
      totalTokens: 120,
      cachedTokens: 80,
      reasoningTokens: 15,
    });
  });

  it('adds up a missing total, without the details', () => {
    expect(
      parseUsage({
        prompt_tokens: 3,
        completion_tokens: 4,
        completion_tokens_details: { reasoning_tokens: 2 },
      }),
    ).toMatchObject({ totalTokens: 7, reasoningTokens: 2, cachedTokens: 0 });
    expect(parseUsage({ completion_tokens: 4 })).toMatchObject({ promptTokens: 0, totalTokens: 4 });
  });

  it('never counts a detail higher than its whole', () => {
    const usage = { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 9 } };
    expect(parseUsage(usage)).toMatchObject({ cachedTokens: 5 });
  });

  it.each([undefined, null, 'x', 3, [], {}, { prompt_tokens: null }, { prompt_tokens: '3' }])(
    'finds no counts in %j',
    (usage) => {
      expect(parseUsage(usage)).toBeUndefined();
    },
  );

  it('passes over counts that are no counts', () => {
    const usage = { prompt_tokens: -1, completion_tokens: 2.5, total_tokens: 9, prompt_tokens_details: 'x' };
    expect(parseUsage(usage)).toEqual({
      promptTokens: 0,
      completionTokens: 0,
      totalTokens: 9,
      cachedTokens: 0,
      reasoningTokens: 0,
    });
  });
});
