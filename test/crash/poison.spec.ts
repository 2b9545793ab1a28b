import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventJournal } from '@nestor/typeorm';
import { describeDatabases } from '../support/agent-databases.js';
import { buildWorker, type BuiltWorker } from './crash-worker.build.js';
import { crashFigures, NO_DAMAGE, shown } from './crash-figures.js';
import { enqueueRuns, runIds, withStore } from './crash-runs.js';
import { Crew } from './crew.js';
import { readEffects } from './effects.js';

const POISON = 'poison-1';
/** By default. */
const MOST_ATTEMPTS = 10;
const RUNS = 6;
const LEASE_MS = 500;

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildWorker('crash.worker.ts');
}, 120_000);
afterAll(() => rm(worker.directory, { recursive: true, force: true }));

await describeDatabases('A run whose tool ends the process', (server) => {
  it(
    'fails after ten attempts, and the others end as if it were not there',
    { timeout: 120_000 },
    async () => {
      const { url, drop } = await server.create();
      const effectsFile = join(worker.directory, `${server.name}.effects`);
      const crew = new Crew(server.shared ? 3 : 1, worker.file, { url, effectsFile, leaseMs: LEASE_MS });
      try {
        await writeFile(effectsFile, '');
        await enqueueRuns(url, [POISON, ...runIds(1, RUNS)]);
        await crew.finishReplacing();

        const figures = await crashFigures({ url, effectsFile, runIds: runIds(1, RUNS), tools: 3 });
        console.log(
          `${server.name}: ${crew.killed} processes died of one run, ${RUNS} others: ${shown(figures)}`,
        );
        expect(figures.damage).toEqual(NO_DAMAGE);
        const called = readEffects(effectsFile).filter(({ name }) => name === 'poison');
        expect(crew.killed).toBe(called.length);
        // A machine with much to do may not come to the call before the lease is over.
        expect(called.length).toBeGreaterThan(MOST_ATTEMPTS / 2);
        await withStore(url, async (store, database) => {
          expect(await store.find(POISON)).toMatchObject({
            status: 'failed',
            outcome: { exitReason: 'error', error: expect.stringContaining('10 processes took it') },
          });
          const { rows } = await database.query('SELECT attempts FROM agent_run WHERE id = ?', [POISON]);
          expect(Number(rows[0]?.['attempts'])).toBe(MOST_ATTEMPTS);
          const { events } = await new EventJournal(database).list({ runId: POISON });
          const exits = events.filter(({ type }) => type === 'AGENT_LOOP_EXITED');
          expect(exits).toMatchObject([{ payload: { exitReason: 'error' } }]);
          expect(events.at(-1)).toBe(exits[0]);
        });
      } finally {
        crew.stop();
        await drop();
      }
    },
  );
});
