import { expect, it, vi } from 'vitest';
import { describeDatabases } from '../../../../test/support/agent-databases.js';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { AgentDatabase } from '../database/agent-database.js';
import { runTransaction } from './run-transaction.js';
import { TypeOrmRunStore } from './typeorm-run.store.js';

const WORKERS = 8;
const RUNS = 1_000;
const DONE = { exitReason: 'stop', turnsUsed: 0, totalTokens: 0, error: undefined } as const;

await describeDatabases(
  'A process that stands still in the middle of a transaction',
  (server) => {
    it('holds nobody up, and its run goes on elsewhere', { timeout: 60_000 }, async () => {
      const place = await server.create();
      const [still, database] = [await AgentDatabase.open(place), await AgentDatabase.open(place)];
      const store = new TypeOrmRunStore(database);
      for (const runId of ['locked', 'free']) {
        await store.enqueue({ runId, agentId: 'a', sessionId: undefined, input: [] });
      }
      const locked = deferred();
      const wake = deferred();
      const standing = runTransaction(still, async (transaction) => {
        await transaction.query(`UPDATE agent_run SET turn = 1 WHERE id = 'locked'`);
        locked.resolve();
        await wake.promise;
      });
      const outcome = standing.catch((error: unknown) => error);
      await locked.promise;
      const free = await store.claimNext();
      expect(free?.history.run.runId).toBe('free');
      expect(await store.claimNext()).toBeUndefined();
      const late = await vi.waitUntil(() => store.claimNext(), { timeout: 20_000, interval: 50 });
      expect(late.history.run.runId).toBe('locked');
      wake.resolve();
      expect(await outcome).toBeInstanceOf(Error);
      for (const claimed of [free, late]) await claimed?.log.ended(DONE);
      expect(await store.find('locked')).toMatchObject({ outcome: { turnsUsed: 0 } });
      await Promise.all([still.close(), database.close()]);
      await place.drop();
    });
  },
  ({ shared }) => shared,
);

await describeDatabases(
  'Eight workers',
  (server) => {
    it(`claim ${RUNS} queued runs, each once`, { timeout: 180_000 }, async () => {
      const place = await server.create();
      const databases = await Promise.all(
        Array.from({ length: WORKERS }, () => AgentDatabase.open({ url: place.url, poolSize: 2 })),
      );
      const stores = databases.map((database) => new TypeOrmRunStore(database));
      for (let n = 0; n < RUNS; n++) {
        await stores[n % WORKERS]!.enqueue({
          runId: `run-${n}`,
          agentId: 'a',
          sessionId: undefined,
          input: [],
        });
      }
      const startedAt = performance.now();
      const claimed = await Promise.all(
        stores.map(async (store) => {
          const runIds: string[] = [];
          for (let run = await store.claimNext(); run; run = await store.claimNext()) {
            runIds.push(run.history.run.runId);
            await run.log.ended(DONE);
          }
          return runIds;
        }),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      const all = claimed.flat();
      console.log(
        `${server.name}: ${all.length} claims by ${WORKERS} workers in ${seconds.toFixed(1)} s, ` +
          `${Math.min(...claimed.map(({ length }) => length))} to ${Math.max(...claimed.map(({ length }) => length))} each`,
      );
      expect(all).toHaveLength(RUNS);
      expect(new Set(all).size).toBe(RUNS);
      const { rows } = await databases[0]!.query(
        `SELECT COUNT(*) AS n FROM agent_run WHERE fence = 1 AND attempts = 1 AND status = 'completed'`,
      );
      expect(Number(rows[0]?.['n'])).toBe(RUNS);
      await Promise.all(databases.map((database) => database.close()));
      await place.drop();
    });
  },
  ({ shared }) => shared,
);

await describeDatabases(
  'One process',
  (server) => {
    it('takes the run first that has been free for the longest', async () => {
      const place = await server.create();
      const database = await AgentDatabase.open(place);
      const store = new TypeOrmRunStore(database);
      const ids = Array.from({ length: 20 }, (_, n) => `run-${n}`);
      for (const runId of ids) await store.enqueue({ runId, agentId: 'a', sessionId: undefined, input: [] });
      // The last is one whose process died before the others were queued.
      await database.query(`UPDATE agent_run SET lease_until = created_at - 1000 WHERE id = 'run-19'`);
      const taken: (string | undefined)[] = [];
      for (let n = 0; n < 3; n++) {
        const claimed = await store.claimNext();
        taken.push(claimed?.history.run.runId);
        await claimed?.log.ended(DONE);
      }
      expect(taken[0]).toBe('run-19');
      expect(new Set(taken).size).toBe(3);
      await database.close();
      await place.drop();
    });
  },
  ({ shared }) => !shared,
);
