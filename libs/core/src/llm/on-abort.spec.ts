import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onAbort } from './on-abort.js';

describe('onAbort', () => {
  it('B71: takes one listener of a signal for any number of waiters, and gives it back', () => {
    const { signal } = new AbortController();
    const releases = Array.from({ length: 50 }, () => onAbort(signal, () => {}));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    releases.forEach((release) => release());
    releases.forEach((release) => release());
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('calls every waiter but those that left, once', () => {
    const controller = new AbortController();
    const [stays, leaves, leavesLate] = [vi.fn(), vi.fn(), vi.fn()];
    onAbort(controller.signal, () => {
      stays();
      releaseLate();
    });
    onAbort(controller.signal, leaves)();
    const releaseLate = onAbort(controller.signal, leavesLate);
    controller.abort();
    expect([stays, leaves, leavesLate].map((callback) => callback.mock.calls.length)).toEqual([1, 0, 0]);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('works again after everybody left', () => {
    const controller = new AbortController();
    onAbort(controller.signal, () => {})();
    const callback = vi.fn();
    onAbort(controller.signal, callback);
    controller.abort();
    expect(callback).toHaveBeenCalledOnce();
  });

  it('calls at once if the signal has aborted, and never without one', () => {
    const callback = vi.fn();
    onAbort(AbortSignal.abort(), callback)();
    expect(callback).toHaveBeenCalledOnce();
    onAbort(undefined, callback)();
    expect(callback).toHaveBeenCalledOnce();
  });
});
