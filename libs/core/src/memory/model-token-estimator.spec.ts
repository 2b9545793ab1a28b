import { describe, expect, it } from 'vitest';
import { HEURISTIC_TOKEN_ESTIMATOR } from './heuristic-token-estimator.js';
import { tokenEstimatorFor } from './model-token-estimator.js';

describe('tokenEstimatorFor', () => {
  it.each(['gpt-4o-mini', 'gpt-4.1', 'gpt-5-nano', 'o3-mini', 'o1', 'openai/gpt-4o', 'GPT-4o'])(
    'counts %s as it does itself',
    async (model) => {
      const estimator = await tokenEstimatorFor(model);
      expect(estimator.estimateText('The quick brown fox jumps over the lazy dog.')).toBe(10);
      expect(estimator.estimate({ role: 'user', content: 'hello world' })).toBe(2 + 4);
    },
  );

  it('counts older models by their own tables', async () => {
    const [older, newer] = await Promise.all([tokenEstimatorFor('gpt-4-turbo'), tokenEstimatorFor('gpt-4o')]);
    const text = 'Привет, как дела?';
    expect(older.estimateText(text)).toBeGreaterThan(newer.estimateText(text));
  });

  it.each(['llama-3.1-8b', 'default', 'mistral-large', 'gpt-oss', ''])(
    'takes the heuristic for %j',
    async (model) => {
      expect(await tokenEstimatorFor(model)).toBe(HEURISTIC_TOKEN_ESTIMATOR);
    },
  );

  it('takes control tokens for text, and half characters for what they are', async () => {
    const estimator = await tokenEstimatorFor('gpt-4o');
    expect(estimator.estimateText('<|endoftext|>')).toBeGreaterThan(1);
    expect(estimator.estimateText('\ud83d')).toBeGreaterThan(0);
    expect(estimator.estimateText('')).toBe(0);
  });

  it('stays linear on a million equal characters', async () => {
    const estimator = await tokenEstimatorFor('gpt-4o');
    const startedAt = performance.now();
    expect(estimator.estimateText('x'.repeat(1_000_000))).toBeGreaterThan(100_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
