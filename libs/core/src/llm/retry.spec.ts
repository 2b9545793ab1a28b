import { describe, expect, it, vi } from 'vitest';
import { LlmException } from '../errors/llm.exception.js';
import { backoffDelay, retryAfterMs, retryPolicy, withRetry } from './retry.js';

const busy = (retryAfter?: number): LlmException =>
  new LlmException('busy', { kind: 'rate_limit', status: 429, retryAfterMs: retryAfter });

function failing(times: number, error: unknown): () => Promise<string> {
  let calls = 0;
  return async () => {
    if (calls++ < times) throw error;
    return `done after ${calls}`;
  };
}

describe('withRetry', () => {
  it('B106: waits as long as the server asks, and makes no more attempts than configured', async () => {
    const wait = vi.fn(async () => {});
    await expect(withRetry(failing(2, busy(2_000)), retryPolicy(), { wait })).resolves.toBe('done after 3');
    expect(wait.mock.calls).toEqual([[2_000], [2_000]]);

    const attempt = vi.fn(failing(9, busy(250)));
    await expect(withRetry(attempt, retryPolicy({ attempts: 3 }), { wait })).rejects.toThrow('busy');
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it('B106: gives up at once if the server asks for more than a minute, and says so', async () => {
    const wait = vi.fn(async () => {});
    const run = withRetry(failing(1, busy(61_000)), retryPolicy(), { wait });
    await expect(run).rejects.toMatchObject({
      message: 'busy The server asks to wait 61 s, more than the 60 s we wait: try again later.',
      kind: 'rate_limit',
      retryAfterMs: 61_000,
    });
    expect(wait).not.toHaveBeenCalled();
  });

  it('B108: runs with no jitter and with no or hardly any delay', async () => {
    for (const baseDelayMs of [0, 1]) {
      const wait = vi.fn(async () => {});
      const policy = retryPolicy({ jitter: 0, baseDelayMs });
      await expect(withRetry(failing(2, busy()), policy, { wait })).resolves.toBe('done after 3');
      expect(wait.mock.calls).toEqual([[baseDelayMs], [baseDelayMs * 2]]);
    }
  });

  it('leaves alone what is final, what is no model error, and what has reached the consumer', async () => {
    const wait = vi.fn(async () => {});
    const final = new LlmException('no', { kind: 'authentication' });
    await expect(withRetry(failing(1, final), retryPolicy(), { wait })).rejects.toBe(final);
    const foreign = new Error('a bug');
    await expect(withRetry(failing(1, foreign), retryPolicy(), { wait })).rejects.toBe(foreign);
    const late = busy();
    const hooks = { wait, mayRetry: () => false };
    await expect(withRetry(failing(1, late), retryPolicy(), hooks)).rejects.toBe(late);
    expect(wait).not.toHaveBeenCalled();
  });

  it('ends with what ended the wait', async () => {
    const stopped = new Error('stopped');
    const wait = async (): Promise<void> => {
      throw stopped;
    };
    await expect(withRetry(failing(2, busy()), retryPolicy(), { wait })).rejects.toBe(stopped);
  });
});

describe('backoffDelay', () => {
  it('B114: never exceeds the maximum, whatever the jitter', () => {
    const policy = retryPolicy({ baseDelayMs: 1_000, maxDelayMs: 2_000, jitter: 0.5 });
    for (const random of [0, 0.5, 0.999]) {
      vi.spyOn(Math, 'random').mockReturnValue(random);
      const delay = backoffDelay(policy, 5);
      expect(delay).toBeLessThanOrEqual(2_000);
      expect(delay).toBeGreaterThan(999);
    }
  });

  it('doubles with each failed attempt', () => {
    const policy = retryPolicy({ jitter: 0 });
    expect([1, 2, 3, 9].map((made) => backoffDelay(policy, made))).toEqual([500, 1_000, 2_000, 8_000]);
  });
});

describe('retryAfterMs', () => {
  it('B106: reads ms, seconds and HTTP dates', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12, 0, 0) });
    try {
      expect(retryAfterMs({ 'retry-after-ms': '250', 'retry-after': '9' })).toBe(250);
      expect(retryAfterMs({ 'retry-after': '2' })).toBe(2_000);
      expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 12:00:05 GMT' })).toBe(5_000);
      expect(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' })).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ignores what it cannot read', () => {
    expect(retryAfterMs({})).toBeUndefined();
    expect(retryAfterMs({ 'retry-after': '' })).toBeUndefined();
    expect(retryAfterMs({ 'retry-after': 'soon' })).toBeUndefined();
    expect(retryAfterMs({ 'retry-after-ms': '-1' })).toBeUndefined();
  });
});

describe('retryPolicy', () => {
  it('names the field and its range', () => {
    expect(() => retryPolicy({ attempts: 0 })).toThrow('retry.attempts must be an integer >= 1, got 0.');
    expect(() => retryPolicy({ maxDelayMs: -1 })).toThrow(
      'retry.maxDelayMs must be a number of ms >= 0, got -1.',
    );
    expect(() => retryPolicy({ jitter: Number.NaN })).toThrow(
      'retry.jitter must be a number from 0 to 1, got NaN.',
    );
  });
});
