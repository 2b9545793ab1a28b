import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../support/agent-databases.js';
import { buildCrashWorker, type BuiltWorker } from './crash-worker.build.js';
import { crashFigures, enqueueRuns, shown, TOOLS, TURNS } from './crash-runs.js';
import { Crew } from './crew.js';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 5);
const RUNS_PER_KILL = 6;
const LEASE_MS = 1_500;
/** Calls made before the next kill, at most: fewer than the runs of one kill make. */
const MOST_CALLS = 40;

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildCrashWorker();
}, 120_000);
afterAll(() => rm(worker.directory, { recursive: true, force: true }));

async function killAgainAndAgain(url: string, effectsFile: string, workers: number): Promise<number> {
  const crew = new Crew(workers, [worker.file, url, effectsFile, String(LEASE_MS)]);
  let created = 0;
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      await enqueueRuns(url, created + 1, RUNS_PER_KILL);
      created += RUNS_PER_KILL;
      crew.fill();
      await crew.killAfter(1 + Math.floor(Math.random() * MOST_CALLS));
    }
    crew.fill();
    await crew.finish();
  } finally {
    crew.stop();
  }
  return created;
}

await describeDatabases('kill -9', (server) => {
  it(
    `${KILLS} times: no run is lost and nothing happens twice`,
    { timeout: 60_000 + KILLS * 6_000 },
    async () => {
      const { url, drop } = await server.create();
      try {
        const effectsFile = join(worker.directory, `${server.name}.effects`);
        await writeFile(effectsFile, '');
        const startedAt = performance.now();
        const created = await killAgainAndAgain(url, effectsFile, server.shared ? 3 : 1);
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        const figures = await crashFigures(url, effectsFile, created);
        console.log(
          `${server.name}: ${KILLS} kills in ${seconds} s, ${created} runs of ${TURNS} turns × ${TOOLS} tools: ${shown(figures)}`,
        );
        expect(figures.damage).toEqual({
          lost: 0,
          wrongKeyedEffects: 0,
          repeatedAtMostOnce: 0,
          calledAfterResult: 0,
        });
        // The kills did hit runs.
        expect(figures.takenOver).toBeGreaterThan(0);
      } finally {
        await drop();
      }
    },
  );
});
