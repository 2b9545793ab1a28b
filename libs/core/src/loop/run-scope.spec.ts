import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RunScope } from './run-scope.js';

describe('RunScope', () => {
  afterEach(() => void vi.useRealTimers());

  it('aborts with the reason of the caller’s signal', () => {
    const caller = new AbortController();
    const scope = new RunScope([caller.signal, undefined]);
    caller.abort('enough');
    expect(scope.aborted).toBe(true);
    expect(scope.reason).toBe('enough');
  });

  it('aborts after its time, unless it was disposed', () => {
    vi.useFakeTimers();
    const late = new Error('too late');
    const scope = new RunScope([]);
    scope.abortAfter(50, () => late);
    const disposed = new RunScope([]);
    disposed.abortAfter(50, () => late);
    disposed.dispose();
    vi.advanceTimersByTime(50);
    expect(scope.reason).toBe(late);
    expect(disposed.aborted).toBe(false);
  });

  it('waits longer than one timer can', () => {
    vi.useFakeTimers();
    const day = 86_400_000;
    const scope = new RunScope([]);
    scope.abortAfter(60 * day, () => new Error('too late'));
    const disposed = new RunScope([]);
    disposed.abortAfter(60 * day, () => new Error('too late'));
    vi.advanceTimersByTime(60 * day - 1);
    expect(scope.aborted).toBe(false);
    disposed.dispose();
    vi.advanceTimersByTime(1);
    expect([scope.aborted, disposed.aborted]).toEqual([true, false]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets a race be won by the promise or by the abort, and leaves no listener', async () => {
    const scope = new RunScope([]);
    await expect(scope.race(Promise.resolve(1))).resolves.toBe(1);
    await expect(scope.race(Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(getEventListeners(scope.signal, 'abort')).toHaveLength(0);
    const hanging = scope.race(new Promise(() => {}));
    scope.abort(new Error('aborted'));
    await expect(hanging).rejects.toThrow('aborted');
  });

  it('leaves no listener on the caller’s signal', () => {
    const { signal } = new AbortController();
    const scope = new RunScope([signal]);
    scope.dispose();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

it('follows a signal that comes later, until it is disposed', () => {
  const late = new AbortController();
  const scope = new RunScope([]);
  scope.follow(late.signal);
  const disposed = new RunScope([]);
  disposed.follow(late.signal);
  disposed.dispose();
  late.abort('lost');
  expect(scope.reason).toBe('lost');
  expect(disposed.aborted).toBe(false);
});
