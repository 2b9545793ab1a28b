import { describe, expect, it } from 'vitest';
import { strictRuns } from './strict-runs.js';

describe('a strict run', () => {
  it('fails at the step whose events are lost', async () => {
    const runs = strictRuns(
      {
        open: () => ({ answered() {}, toolCompleted() {}, ended() {} }),
        find: () => undefined,
        list: () => [],
      },
      { settled: () => Promise.reject(new Error('lost')) },
    );
    const log = await runs.open({ runId: 'r', agentId: 'a', sessionId: undefined, input: [] });
    await expect(
      log.ended({ exitReason: 'stop', turnsUsed: 1, totalTokens: 0, error: undefined }),
    ).rejects.toThrow('lost');
    expect('claim' in runs).toBe(false);
  });
});
