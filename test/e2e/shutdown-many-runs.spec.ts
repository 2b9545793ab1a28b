import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { crashFigures, NO_DAMAGE, shown } from '../crash/crash-figures.js';
import { allRuns, runIds, withStore } from '../crash/crash-runs.js';
import { buildWorker, type BuiltWorker } from '../crash/crash-worker.build.js';
import { describeDatabases } from '../support/agent-databases.js';
import type { ShutdownAppOptions } from './shutdown.app.js';

const RUNS = 50;
const GRACE_MS = 200;
/** For the handing over, and the end of the process. */
const LONGEST_END_MS = 10_000;

let built: BuiltWorker;

beforeAll(async () => {
  built = await buildWorker('../e2e/shutdown.app.ts');
}, 120_000);
afterAll(() => rm(built.directory, { recursive: true, force: true }));

/** Resolves when the application has said something. */
async function started(options: ShutdownAppOptions): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [built.file, JSON.stringify(options)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: String(said) };
}

async function terminate(child: ChildProcess): Promise<{ code: unknown; ms: number }> {
  const startedAt = performance.now();
  child.kill('SIGTERM');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code: signal ?? code, ms: Math.round(performance.now() - startedAt) };
}

await describeDatabases('SIGTERM', (server) => {
  it(`with ${RUNS} runs under way: all go on in the next process`, { timeout: 120_000 }, async () => {
    const { url, drop } = await server.create();
    const effectsFile = join(built.directory, `${server.name}.effects`);
    const ids = runIds(1, RUNS);
    const options = { url, effectsFile, shutdownGraceMs: GRACE_MS };
    try {
      await writeFile(effectsFile, '');
      const first = await started({ ...options, runIds: ids });
      expect(first.said).toBe(`${RUNS} under way\n`);
      const end = await terminate(first.child);
      expect(end.code).toBe(0);
      expect(end.ms).toBeLessThan(GRACE_MS + LONGEST_END_MS);
      const left = await withStore(url, (store) => allRuns(store));
      const statuses = left.map(({ status }) => status);
      expect(statuses.filter((status) => !['completed', 'queued'].includes(status))).toEqual([]);
      expect(statuses).toContain('queued');

      const second = await started({ ...options, wanted: RUNS });
      expect(second.said).toBe('all ended\n');
      expect((await terminate(second.child)).code).toBe(0);
      const figures = await crashFigures({ url, effectsFile, runIds: ids, tools: 3 });
      const handed = statuses.filter((status) => status === 'queued').length;
      console.log(
        `${server.name}: ${RUNS} runs, ended in ${end.ms} ms, ${handed} handed over: ${shown(figures)}`,
      );
      expect(figures.damage).toEqual(NO_DAMAGE);
      expect([figures.keyedRepeats, figures.unknown]).toEqual([0, []]);
    } finally {
      await drop();
    }
  });
});
