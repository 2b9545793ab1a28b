import { describe, expect, it } from 'vitest';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { ActiveRuns, ShuttingDownException } from './active-runs.js';

/** A run that ends when it is aborted. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('ActiveRuns', () => {
  it('gives what the run gives and forgets it then', async () => {
    const runs = new ActiveRuns();
    const answer = deferred<string>();
    const running = runs.start('a', undefined, () => answer.promise);
    expect(runs.size).toBe(1);
    answer.resolve('done');

    expect(await running).toBe('done');
    expect(runs.size).toBe(0);
    expect(runs.cancel('a', 'late')).toBe(false);
  });

  it('aborts a run by its id, with the reason', async () => {
    const runs = new ActiveRuns();
    const running = runs.start('a', undefined, untilAborted);
    expect(runs.cancel('b', 'other')).toBe(false);
    expect(runs.cancel('a', new Error('enough'))).toBe(true);
    await expect(running).rejects.toThrow('enough');
    expect(runs.size).toBe(0);
  });

  it('aborts a run by the signal it was given, also if that had aborted before', async () => {
    const runs = new ActiveRuns();
    const outer = new AbortController();
    const running = runs.start('a', outer.signal, untilAborted);
    outer.abort(new Error('left'));
    await expect(running).rejects.toThrow('left');
    await expect(
      runs.start('b', outer.signal, async (signal) => {
        await Promise.resolve();
        signal.throwIfAborted();
      }),
    ).rejects.toThrow('left');
  });

  it('refuses a second run of the same id while the first is under way', async () => {
    const runs = new ActiveRuns();
    const running = runs.start('a', undefined, untilAborted);
    await expect(runs.start('a', undefined, async () => 1)).rejects.toThrow('Run "a" is under way already.');
    runs.cancel('a', new Error('end'));
    await expect(running).rejects.toThrow('end');
    expect(await runs.start('a', undefined, async () => 1)).toBe(1);
  });

  it('lets nothing in once it closes, and waits for what it aborts', async () => {
    const runs = new ActiveRuns();
    const order: string[] = [];
    const running = runs
      .start('a', undefined, async (signal) => {
        await untilAborted(signal).catch(() => order.push('aborted'));
        await Promise.resolve();
        order.push('cleaned up');
      })
      .then(() => order.push('ended'));
    const closing = runs.close(0).then(() => order.push('closed'));
    expect(runs.closing).toBe(true);
    await expect(runs.start('b', undefined, async () => 1)).rejects.toBeInstanceOf(ShuttingDownException);
    await Promise.all([running, closing]);

    expect(order.slice(0, 2)).toEqual(['aborted', 'cleaned up']);
    expect(order).toContain('closed');
  });
});
