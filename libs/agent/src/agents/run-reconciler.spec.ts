import { Logger } from '@nestjs/common';
import { InMemoryDurableRunStore, type RecoveredRun } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RunReconciler } from './run-reconciler.js';

describe('RunReconciler', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function suspendedRuns(count: number) {
    const store = new InMemoryDurableRunStore();
    for (let index = 0; index < count; index++) {
      await store.open({ runId: `r${index}`, agentId: 'a', sessionId: undefined, input: [] }).suspended?.([]);
    }
    const taken: string[] = [];
    let hold = Promise.resolve();
    const recovery = {
      goOn: ({ history }: RecoveredRun) => {
        taken.push(history.run.runId);
        return hold;
      },
    };
    const reconciler = new RunReconciler({ durable: store }, recovery, { names: () => ['a'] });
    return { reconciler, taken, store, holdAll: () => void (hold = new Promise(() => {})) };
  }

  it('takes over what nobody works on, at once and each once', async () => {
    const { reconciler, taken } = await suspendedRuns(3);
    reconciler.start();
    await vi.advanceTimersByTimeAsync(10_000);
    await reconciler.stop();
    expect(taken).toEqual(['r0', 'r1', 'r2']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes on with ten at once', async () => {
    const { reconciler, taken, holdAll } = await suspendedRuns(15);
    holdAll();
    await reconciler.look();
    await reconciler.look();
    expect(taken).toHaveLength(10);
  });

  it('lives on when the store fails', async () => {
    const { reconciler, store, taken } = await suspendedRuns(1);
    const claimNext = vi.spyOn(store, 'claimNext').mockImplementationOnce(() => {
      throw new Error('away');
    });
    reconciler.start();
    await vi.advanceTimersByTimeAsync(2_000);
    await reconciler.stop();
    expect(claimNext.mock.calls.length).toBeGreaterThan(1);
    expect(taken).toEqual(['r0']);
  });

  it('says once that the store fails, until it has worked again', async () => {
    const { reconciler, store } = await suspendedRuns(0);
    const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const claimNext = vi.spyOn(store, 'claimNext').mockImplementation(() => {
      throw new Error('away');
    });
    for (let n = 0; n < 3; n++) await reconciler.look();
    expect(warn.mock.calls).toEqual([['Runs could not be looked for: away']]);
    claimNext.mockReturnValueOnce(undefined);
    for (let n = 0; n < 3; n++) await reconciler.look();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('does nothing where runs are not durable', async () => {
    const reconciler = new RunReconciler(
      { durable: undefined },
      { goOn: () => Promise.resolve() },
      { names: () => [] },
    );
    reconciler.start();
    expect(vi.getTimerCount()).toBe(0);
    await reconciler.stop();
  });
});
