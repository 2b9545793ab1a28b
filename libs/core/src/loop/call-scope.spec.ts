import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallScope } from './call-scope.js';

describe('CallScope', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('gives what the work gives and leaves no timer', async () => {
    const scope = new CallScope();
    await expect(scope.settle(Promise.resolve(7), 100)).resolves.toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts its signal with the first reason, also one asked for later', () => {
    const scope = new CallScope();
    const { signal } = scope;
    scope.cancel('first');
    scope.cancel('second');
    expect(signal.reason).toBe('first');
    const late = new CallScope();
    late.cancel('early');
    expect(late.signal.aborted).toBe(true);
  });

  it('waits for cancelled work to end', async () => {
    const scope = new CallScope();
    let finish = (_value: string): void => {};
    const settled = scope.settle(new Promise<string>((resolve) => (finish = resolve)), 100);
    scope.cancel('stop');
    finish('cleaned up');
    await expect(settled).resolves.toBe('cleaned up');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves work alone that does not end within the grace', async () => {
    const scope = new CallScope();
    const settled = scope.settle(new Promise(() => {}), 100);
    scope.cancel('stop');
    const [outcome] = await Promise.all([Promise.allSettled([settled]), vi.advanceTimersByTimeAsync(100)]);
    expect(outcome).toEqual([{ status: 'rejected', reason: 'stop' }]);
  });

  it('ends a pause when cancelled', async () => {
    const scope = new CallScope();
    const paused = scope.pause(60_000);
    scope.cancel('stop');
    await paused;
    expect(vi.getTimerCount()).toBe(0);
  });
});
