import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentDatabase } from '@nestor/typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../support/agent-databases.js';
import { buildWorker, type BuiltWorker } from './crash-worker.build.js';
import { TURNS } from './crash-agent.js';
import { crashFigures, NO_DAMAGE, shown } from './crash-figures.js';
import { enqueueRuns, overdue, runIds, withStore } from './crash-runs.js';
import { Crew } from './crew.js';

const KILLS = Number(process.env['CRASH_KILLS'] ?? 20);
/** Runs that are queued together. */
const BATCH = 5;
/** Of those, runs that have no session; the others share one. */
const WITHOUT_SESSION = 2;
const TOOLS = 3;
const LEASE_MS = 1_500;
/** Calls made before the next kill, at most. */
const MOST_CALLS = 40;
/** Of tools and of the model. */
const CALLS_PER_RUN = TURNS * (1 + TOOLS) + 1;

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildWorker('crash.worker.ts');
}, 120_000);
afterAll(() => rm(worker.directory, { recursive: true, force: true }));

const sessionOf = (batch: number) => (_runId: string, index: number) =>
  index < WITHOUT_SESSION ? undefined : `session-${batch}`;

/** Calls that are still to be made, at least. */
async function callsLeft(database: AgentDatabase): Promise<number> {
  const { rows } = await database.query(
    `SELECT SUM(${CALLS_PER_RUN} - total_llm_calls - total_tool_calls) AS n FROM agent_run WHERE ended_at IS NULL`,
  );
  return Number(rows[0]?.['n'] ?? 0);
}

/**
 * There is always enough to do, and never so much that runs would wait for their turn. Gives the number of runs, and
 * how long runs were free whenever that was looked at.
 */
async function killAgainAndAgain(crew: Crew, url: string, shared: boolean) {
  const overdueMs: number[] = [];
  let batches = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // All look for runs before one more dies; a file the test has to itself first.
    if (shared) await crew.fill();
    const left = await withStore(url, async (_, database) => {
      overdueMs.push(...(await overdue(database)));
      return callsLeft(database);
    });
    // Counted before there is more to do: the runs may be through while this process is slow.
    const killed = crew.killAfter(1 + Math.floor(Math.random() * MOST_CALLS));
    for (let calls = left; calls < 2 * MOST_CALLS; calls += BATCH * CALLS_PER_RUN) {
      await enqueueRuns(url, runIds(batches * BATCH + 1, BATCH), sessionOf(batches));
      batches += 1;
    }
    await crew.fill();
    await killed;
  }
  await crew.fill();
  await crew.finish();
  return { created: batches * BATCH, overdueMs };
}

await describeDatabases('kill -9', (server) => {
  it(
    `${KILLS} times: no run is lost and nothing happens twice`,
    { timeout: 60_000 + KILLS * 10_000 },
    async () => {
      const { url, drop } = await server.create();
      const effectsFile = join(worker.directory, `${server.name}.effects`);
      const crew = new Crew(server.shared ? 3 : 1, worker.file, {
        url,
        effectsFile,
        leaseMs: LEASE_MS,
        maxAttempts: 1_000,
      });
      try {
        await writeFile(effectsFile, '');
        const startedAt = performance.now();
        const { created, overdueMs } = await killAgainAndAgain(crew, url, server.shared);
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        const figures = await crashFigures({
          url,
          effectsFile,
          runIds: runIds(1, created),
          tools: TOOLS,
          overdueMs,
        });
        console.log(
          `${server.name}: ${KILLS} kills in ${seconds} s, ${created} runs of ${TURNS} turns × ${TOOLS} tools: ${shown(figures)}`,
        );
        expect(figures.damage).toEqual(NO_DAMAGE);
        // The kills did hit runs.
        expect(figures.takenOver).toBeGreaterThan(0);
        expect(crew.killed).toBe(KILLS);
      } finally {
        crew.stop();
        await drop();
      }
    },
  );
});
