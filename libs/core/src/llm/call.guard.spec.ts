import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallGuard } from './call.guard.js';
import { llmTimeouts } from './llm-timeouts.js';

const TIMEOUTS = llmTimeouts({ connectMs: 10, firstTokenMs: 200, idleMs: 100, totalMs: 1_000 });
const endOfTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('CallGuard', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('B110: tells by code which limit ran out', async () => {
    for (const phase of ['connect', 'first_token', 'idle', 'total'] as const) {
      const guard = new CallGuard('http://model', TIMEOUTS);
      const interrupt = vi.fn();
      guard.watch(interrupt);
      if (phase !== 'total') guard.limit(phase);
      vi.advanceTimersByTime(1_000);
      await endOfTick();
      expect(interrupt).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({
          code: `timeout:${phase}`,
          kind: 'timeout',
          timeout: phase,
          retryable: phase !== 'total',
        }),
      );
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('B114: an abort by the caller in the same tick as a time-out wins', async () => {
    const controller = new AbortController();
    const guard = new CallGuard('http://model', TIMEOUTS, controller.signal);
    const interrupt = vi.fn();
    guard.watch(interrupt);
    guard.limit('idle');
    setTimeout(() => controller.abort('by the user'), 100);
    vi.advanceTimersByTime(100);
    await endOfTick();
    expect(interrupt).toHaveBeenCalledExactlyOnceWith('by the user');
  });

  it('starts a limit anew when touched, and replaces it with the next phase', async () => {
    const guard = new CallGuard('http://model', TIMEOUTS);
    const interrupt = vi.fn();
    guard.watch(interrupt);
    guard.limit('connect');
    guard.limit('idle');
    vi.advanceTimersByTime(90);
    guard.touch();
    vi.advanceTimersByTime(90);
    await endOfTick();
    expect(interrupt).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10);
    await endOfTick();
    expect(interrupt).toHaveBeenCalledOnce();
  });

  it('has no limit but the total while suspended', async () => {
    const guard = new CallGuard('http://model', TIMEOUTS);
    const interrupt = vi.fn();
    guard.watch(interrupt);
    guard.limit('idle');
    guard.suspend();
    vi.advanceTimersByTime(999);
    await endOfTick();
    expect(interrupt).not.toHaveBeenCalled();
    guard.release();
  });

  it('waits, and stops waiting when the call is aborted', async () => {
    const controller = new AbortController();
    const guard = new CallGuard('http://model', TIMEOUTS, controller.signal);
    const first = guard.wait(50);
    vi.advanceTimersByTime(50);
    await first;
    const second = guard.wait(500);
    controller.abort('enough');
    await expect(second).rejects.toBe('enough');
    await expect(guard.wait(500)).rejects.toBe('enough');
    guard.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('interrupts at once if the signal was aborted before', () => {
    const guard = new CallGuard('http://model', TIMEOUTS, AbortSignal.abort('long ago'));
    const interrupt = vi.fn();
    guard.watch(interrupt);
    guard.limit('connect');
    expect(interrupt).toHaveBeenCalledExactlyOnceWith('long ago');
    guard.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps no listener and no timer after its release', async () => {
    const { signal } = new AbortController();
    const guard = new CallGuard('http://model', TIMEOUTS, signal);
    const interrupt = vi.fn();
    guard.watch(interrupt);
    guard.limit('idle');
    vi.advanceTimersByTime(100);
    guard.release();
    await endOfTick();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(interrupt).not.toHaveBeenCalled();
  });
});
