import type { RunSummary } from '@nestor/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isLongOver, whenOver } from './when-over.js';

const run = (endedAt?: number): RunSummary => ({
  runId: 'r',
  agentId: 'a',
  sessionId: undefined,
  status: endedAt === undefined ? 'running' : 'completed',
  startedAt: 0,
  endedAt,
  outcome: undefined,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['has ended', run(1)],
  ['is not known any more', undefined],
])('calls back once a run %s, one look later', async (_, over) => {
  const answers: (RunSummary | undefined)[] = [run(), over, over];
  const callback = vi.fn();
  const stop = whenOver(async () => answers.shift(), callback);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(callback).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(callback).toHaveBeenCalledTimes(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('asks again where it could not', async () => {
  const find = vi
    .fn<() => Promise<RunSummary>>()
    .mockRejectedValueOnce(new Error('away'))
    .mockResolvedValue(run(1));
  const callback = vi.fn();
  const stop = whenOver(find, callback);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(callback).toHaveBeenCalledTimes(1);
  stop();
});

it.each([
  ['goes on', run(), false],
  ['has just ended', run(55_000), false],
  ['ended a while ago', run(54_999), true],
  ['is not known any more', undefined, true],
])('knows whether events of a run that %s can still come', (_, summary, expected) => {
  vi.setSystemTime(60_000);
  expect(isLongOver(summary)).toBe(expected);
});
