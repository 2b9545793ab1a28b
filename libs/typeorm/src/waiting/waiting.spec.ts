import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pause } from './pause.js';
import { within } from './within.js';

const late = (): Error => new Error('late');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('pause', () => {
  it('ends in time, or with the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const [first, second] = [pause(10, signal), pause(20, signal).catch((reason: unknown) => reason)];
    await vi.advanceTimersByTimeAsync(10);
    await expect(first).resolves.toBeUndefined();
    controller.abort('gone');
    expect(await second).toBe('gone');
    await expect(pause(5, signal)).rejects.toBe('gone');
    expect({ timers: vi.getTimerCount(), listeners: getEventListeners(signal, 'abort').length }).toEqual({
      timers: 0,
      listeners: 0,
    });
  });
});

describe('within', () => {
  it('gives what comes in time', async () => {
    expect(await within(10, Promise.resolve(1), late)).toBe(1);
    await expect(within(10, Promise.reject(new Error('own')), late)).rejects.toThrow('own');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects when the time is over or the signal aborts', async () => {
    const controller = new AbortController();
    const never = new Promise<never>(() => {});
    const outcomes = Promise.allSettled([
      within(10, never, late),
      within(1_000, never, late, controller.signal),
    ]);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('gone'));
    expect(
      (await outcomes).map((outcome) => outcome.status === 'rejected' && String(outcome.reason)),
    ).toEqual(['Error: late', 'Error: gone']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
