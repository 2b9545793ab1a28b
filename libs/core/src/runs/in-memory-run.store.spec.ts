import { describe, expect, it } from 'vitest';
import { InMemoryRunStore } from './in-memory-run.store.js';
import type { RunOutcome } from './run.store.js';

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
