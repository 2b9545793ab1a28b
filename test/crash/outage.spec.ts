import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases } from '../support/agent-databases.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { buildWorker, type BuiltWorker } from './crash-worker.build.js';
import { crashFigures, NO_DAMAGE, shown } from './crash-figures.js';
import { enqueueRuns, runIds } from './crash-runs.js';
import { Crew } from './crew.js';

/** In short the times are a fifth. */
const SCALE = process.env['CRASH_FULL'] ? 1 : 0.2;
const AWAY_MS = 10_000 * SCALE;
const OUTAGES = 2;
/** In relation to the outage; in short the longer one is left to `database-outage.spec.ts`. */
const LEASES = process.env['CRASH_FULL'] ? [0.5, 3] : [0.5];
const RUNS = 40;
/** Made before the database goes away, each time. */
const CALLS = 100;

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildWorker('crash.worker.ts');
}, 120_000);
afterAll(() => rm(worker.directory, { recursive: true, force: true }));

await describeDatabases(
  `A database that is away for ${AWAY_MS} ms`,
  (server) => {
    it.each(LEASES)(
      'with leases of %f times that: no run is lost and nothing happens twice',
      { timeout: 180_000 },
      async (part) => {
        const leaseMs = AWAY_MS * part;
        const { url, drop } = await server.create();
        const effectsFile = join(worker.directory, `${server.name}-${leaseMs}.effects`);
        const proxied = new URL(url);
        const proxy = new TcpProxy(proxied.hostname, Number(proxied.port));
        await proxy.start();
        proxied.port = String(proxy.port);
        const crew = new Crew(2, worker.file, { url: proxied.href, effectsFile, leaseMs });
        try {
          await writeFile(effectsFile, '');
          const runs = runIds(1, RUNS);
          await enqueueRuns(url, runs, (_runId, index) => (index % 2 ? `session-${index % 5}` : undefined));
          await crew.fill();
          for (let outage = 0; outage < OUTAGES; outage++) {
            await crew.calls(CALLS);
            await proxy.stop();
            await pause(AWAY_MS);
            await proxy.start();
          }
          await crew.finish();
          const figures = await crashFigures({ url, effectsFile, runIds: runs, tools: 3 });
          console.log(
            `${server.name}: ${OUTAGES} outages of ${AWAY_MS} ms, leases of ${leaseMs} ms, ${RUNS} runs: ${shown(figures)}`,
          );
          expect(figures.damage).toEqual(NO_DAMAGE);
          expect(crew.killed).toBe(0);
        } finally {
          crew.stop();
          await proxy.stop();
          await drop();
        }
      },
    );
  },
  ({ shared }) => shared,
);
