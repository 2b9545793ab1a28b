import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newRun } from '../../../../test/support/run-steps.js';
import { AgentDatabase } from '../database/agent-database.js';
import { TypeOrmRunStore } from '../runs/typeorm-run.store.js';
import { Lease } from './lease.js';

const warn = vi.fn();
let database: AgentDatabase;

beforeEach(async () => {
  warn.mockClear();
  database = await AgentDatabase.open({ url: 'sqlite::memory:' }, { logger: { log() {}, warn, error() {} } });
  vi.useFakeTimers();
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});
const OPTIONS = { owner: 'me', durationMs: 3_000 };

it('is renewed no more once its database is closed, though nobody gave it back', async () => {
  await Lease.take(database, 'left', OPTIONS);
  expect(vi.getTimerCount()).toBe(1);
  await database.close();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(warn).not.toHaveBeenCalled();
});

it('of a run is given up once its database is closed', async () => {
  const log = await new TypeOrmRunStore(database).open(newRun());
  await database.close();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(log.lost.reason).toMatchObject({ code: 'lease_lost' });
  expect(warn).not.toHaveBeenCalled();
});

it('that cannot be renewed says so once, and goes on trying', async () => {
  const lease = await Lease.take(database, 'tried', OPTIONS);
  const query = vi.spyOn(database, 'query').mockRejectedValue(new Error('away'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(query).toHaveBeenCalledTimes(5);
  expect(warn).toHaveBeenCalledTimes(1);
  query.mockRestore();
  await vi.advanceTimersByTimeAsync(1_000);
  await lease?.release();
  expect(vi.getTimerCount()).toBe(0);
  expect(warn).toHaveBeenCalledTimes(1);
});
