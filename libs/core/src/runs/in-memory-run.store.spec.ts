import { describe, expect, it, vi } from 'vitest';
import { InMemoryRunStore } from './in-memory-run.store.js';
import type { RunOutcome, RunQuery } from './run.store.js';

const outcome = (given: Partial<RunOutcome> = {}): RunOutcome => ({
  exitReason: 'stop',
  turnsUsed: 1,
  totalTokens: 10,
  error: undefined,
  ...given,
});
const newRun = (runId: string): Parameters<InMemoryRunStore['open']>[0] => ({
  runId,
  agentId: 'a',
  sessionId: undefined,
  input: [],
});

describe('InMemoryRunStore', () => {
  it('knows a run while it is under way and how it ended', async () => {
    const store = new InMemoryRunStore();
    const log = store.open(newRun('r'));
    expect(store.find('r')?.status).toBe('running');
    await log.ended(outcome());
    expect(store.find('r')).toMatchObject({ status: 'completed', outcome: { turnsUsed: 1 } });
  });

  it.each([
    [outcome({ exitReason: 'aborted', error: 'x' }), 'aborted'],
    [outcome({ exitReason: 'error', error: 'x' }), 'failed'],
    [outcome({ exitReason: 'suspended' }), 'suspended'],
  ] as const)('calls %j %s', async (ended, status) => {
    const store = new InMemoryRunStore();
    await store.open(newRun('r')).ended(ended);
    expect(store.find('r')?.status).toBe(status);
  });

  describe('list', () => {
    it('gives the newest first, in pages', () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const store = new InMemoryRunStore();
      for (const runId of ['1', '2', '3', '4']) {
        vi.advanceTimersByTime(1);
        store.open(newRun(runId));
      }
      vi.useRealTimers();
      const page = (before?: string) =>
        store.list({ limit: 2, ...(before !== undefined && { before }) }).map(({ runId }) => runId);
      expect([page(), page('3'), page('1')]).toEqual([['4', '3'], ['2', '1'], []]);
      expect(() => page('5')).toThrow('There is no run "5" to list runs before');
    });

    it('gives the runs of an agent, of a session, of a status', async () => {
      const store = new InMemoryRunStore();
      store.open({ ...newRun('1'), sessionId: 's' });
      await store.open({ ...newRun('2'), agentId: 'b', sessionId: 's' }).ended(outcome());
      await store.open(newRun('3')).ended(outcome());
      const ids = (query: RunQuery) => store.list(query).map(({ runId }) => runId);
      expect(ids({ agentId: 'b' })).toEqual(['2']);
      expect(ids({ sessionId: 's' }).toSorted()).toEqual(['1', '2']);
      expect(ids({ status: 'completed' }).toSorted()).toEqual(['2', '3']);
      expect(ids({ status: 'completed', agentId: 'a' })).toEqual(['3']);
    });
  });

  it('remembers only the latest runs that ended', async () => {
    const store = new InMemoryRunStore({ maxEnded: 2 });
    for (const runId of ['1', '2', '3']) await store.open(newRun(runId)).ended(outcome());
    expect(store.find('1')).toBeUndefined();
    expect(
      store
        .list()
        .map(({ runId }) => runId)
        .toSorted(),
    ).toEqual(['2', '3']);
  });
});
