import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../support/agent-databases.js';
import { buildWorker, type BuiltWorker } from './crash-worker.build.js';
import { crashFigures, NO_DAMAGE, shown } from './crash-figures.js';
import { enqueueRuns, runIds, withStore } from './crash-runs.js';
import { Crew } from './crew.js';

const RUNS = 12;
const LEASE_MS = 800;

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildWorker('crash.worker.ts');
}, 120_000);
afterAll(() => rm(worker.directory, { recursive: true, force: true }));

/** All that the run store has written. */
function written(url: string): Promise<unknown> {
  return withStore(url, async (_store, database) => [
    (await database.query('SELECT * FROM agent_run ORDER BY id')).rows,
    (await database.query('SELECT * FROM agent_step ORDER BY run_id, turn, ordinal')).rows,
  ]);
}

await describeDatabases(
  'A worker that stands still past its lease',
  (server) => {
    it('writes nothing when it wakes up: others have its runs', { timeout: 120_000 }, async () => {
      const { url, drop } = await server.create();
      const effectsFile = join(worker.directory, `${server.name}.effects`);
      await writeFile(effectsFile, '');
      const runs = runIds(1, RUNS);
      await enqueueRuns(url, runs, (_, index) => (index % 3 === 0 ? 'session' : undefined));
      const crew = new Crew(2, worker.file, { url, effectsFile, leaseMs: LEASE_MS, maxAttempts: 1_000 });
      let wake = async (): Promise<void> => {};
      try {
        await crew.fill();
        wake = await crew.pauseAfter(10);
        await crew.finish();
        const before = await written(url);
        await wake();
        expect(await written(url)).toEqual(before);
        const facts = { url, effectsFile, runIds: runs, tools: 3 };
        const figures = await crashFigures(facts);
        console.log(`${server.name}: ${RUNS} runs, one of two workers paused: ${shown(figures)}`);
        // Not `calledAfterResult`: what it was about to call when it was stopped, it calls when it wakes up.
        expect({ ...figures.damage, calledAfterResult: 0 }).toEqual(NO_DAMAGE);
        expect(figures.refusedWrites).toBeGreaterThan(0);
      } finally {
        crew.stop();
        await drop();
      }
    });
  },
  ({ shared }) => shared,
);
