import { AgentException } from '@nestor/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outlast } from './outlast.js';
import type { SqlExecutor } from './sql-executor.js';

let away = false;
const database: SqlExecutor = {
  query: () => (away ? Promise.reject(new Error('away')) : Promise.resolve({ rows: [], affected: 0 })),
};
const failing = () => vi.fn(() => Promise.reject(new Error('no')));

/** What is thrown, as text. */
const failure = (outcome: Promise<unknown>): Promise<unknown> => outcome.catch(String);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  away = false;
  vi.useRealTimers();
});

it('repeats the work while the database is away', async () => {
  away = true;
  let attempts = 0;
  const work = async (): Promise<string> => {
    attempts += 1;
    if (away) throw new Error('away');
    return 'done';
  };
  const outcome = outlast(database, work, {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(attempts).toBeGreaterThan(50);
  away = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcome).toBe('done');
});

it('believes a database that answers and refuses three times, and an error of ours at once', async () => {
  const refused = failing();
  const outcome = failure(outlast(database, refused, {}));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcome).toBe('Error: no');
  expect(refused).toHaveBeenCalledTimes(3);
  const ours = vi.fn(() => Promise.reject(new AgentException('ours', { code: 'error' })));
  await expect(outlast(database, ours, {})).rejects.toThrow('ours');
  expect(ours).toHaveBeenCalledTimes(1);
});

it('ends with its time, its check or its signal', async () => {
  away = true;
  const inTime = failure(outlast(database, failing(), { forMs: 2_000 }));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await inTime).toBe('Error: no');
  const check = (): void => {
    throw new Error('too late');
  };
  await expect(outlast(database, failing(), { check })).rejects.toThrow('too late');
  const controller = new AbortController();
  const aborted = failure(outlast(database, failing(), { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(10);
  controller.abort(new Error('stop'));
  expect(await aborted).toBe('Error: stop');
});
