import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { DatabaseHealth } from './database-health.js';

/** A database whose answer the test gives. */
function asked(query: () => Promise<unknown>) {
  const database = { dialect: { kind: 'postgres' as const }, query: vi.fn(query) };
  return { health: new DatabaseHealth({ opened: { database } }), query: database.query };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('DatabaseHealth', () => {
  it('says nothing of a database that is not there', async () => {
    expect(await new DatabaseHealth({ opened: undefined }).check()).toBeUndefined();
  });

  it('tells whether it answers', async () => {
    expect(await asked(async () => []).health.check()).toEqual({ kind: 'postgres', status: 'ok' });
    const failing = asked(() => Promise.reject(new Error('gone')));
    expect(await failing.health.check()).toEqual({ kind: 'postgres', status: 'down' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits half a second at most, and asks once for all who want to know', async () => {
    const answer = deferred();
    const { health, query } = asked(() => answer.promise);
    const answers = Promise.all([health.check(), health.check()]);
    await vi.advanceTimersByTimeAsync(500);
    expect((await answers).map((state) => state?.status)).toEqual(['down', 'down']);
    const later = health.check();
    expect(query).toHaveBeenCalledTimes(1);
    answer.resolve();
    expect((await later)?.status).toBe('ok');
    void health.check();
    expect(query).toHaveBeenCalledTimes(2);
  });

  it('asks again when a question was lost', async () => {
    const never = new Promise<never>(() => {});
    const { health, query } = asked(() => (query.mock.calls.length === 1 ? never : Promise.resolve([])));
    const first = health.check();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await first)?.status).toBe('down');
    expect((await health.check())?.status).toBe('ok');
  });
});
