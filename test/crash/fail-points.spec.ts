import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeDatabases, type DatabaseServer } from '../support/agent-databases.js';
import { buildWorker, type BuiltWorker } from './crash-worker.build.js';
import { crashFigures, NO_DAMAGE, shown } from './crash-figures.js';
import { withStore } from './crash-runs.js';
import { readEffects } from './effects.js';
import { FAIL_POINT_TOOLS, failPoints, FIRST_TURN, LAST_TURN, MIDDLE_TURN } from './fail-points.js';
import type { FailPointRun, FailPointWork } from './fail-point.worker.js';

const RUNS_PER_SESSION = 4;

/** In short: the points of the whole run, and where it is quickest those of the middle turn. */
function turnsTried(server: DatabaseServer): number[] {
  if (process.env['CRASH_FULL']) return [FIRST_TURN, MIDDLE_TURN, LAST_TURN];
  return server.name === 'SQLite' ? [MIDDLE_TURN] : [];
}

const runOf = (point: string, index: number): FailPointRun => ({
  point,
  sessionId: `session-${Math.floor(index / RUNS_PER_SESSION)}`,
});

let worker: BuiltWorker;

beforeAll(async () => {
  worker = await buildWorker('fail-point.worker.ts');
}, 120_000);
afterAll(() => rm(worker.directory, { recursive: true, force: true }));

/** Resolves with what a worker ended with: a signal or its code. */
async function execute(work: FailPointWork): Promise<string> {
  const child = spawn(process.execPath, [worker.file, JSON.stringify(work)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return signal ?? `${code} ${errors}`;
}

await describeDatabases('A process that ends itself', (server) => {
  const points = failPoints(turnsTried(server));
  it(
    `at each of ${points.length} points: the next one brings the run to the right end`,
    { timeout: 60_000 + points.length * 8_000 },
    async () => {
      const { url, drop } = await server.create();
      const effectsFile = join(worker.directory, `${server.name}.effects`);
      try {
        await writeFile(effectsFile, '');
        await withStore(url, async () => {}); // makes the tables
        const startedAt = performance.now();
        let left: FailPointRun | undefined;
        for (const next of points.map(runOf)) {
          const ending = await execute({ url, effectsFile, ...(left && { left }), next });
          expect(`${next.point} ${ending}`).toBe(`${next.point} SIGKILL`);
          left = next;
        }
        expect(await execute({ url, effectsFile, ...(left && { left }) })).toBe('0 ');
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);

        const facts = { url, effectsFile, runIds: points, tools: FAIL_POINT_TOOLS.length };
        const figures = await crashFigures(facts);
        const hit = readEffects(effectsFile).filter(({ kind }) => kind === 'point');
        console.log(`${server.name}: ${hit.length} points in ${seconds} s: ${shown(figures)}`);
        expect(hit.map(({ name }) => name)).toEqual(points);
        expect(figures.damage).toEqual(NO_DAMAGE);
        expect(figures.unknown.filter((call) => !mayBeUnknown(call))).toEqual([]);
      } finally {
        await drop();
      }
    },
  );
});

/** A call may be unknown only in the turn that the process died in, after the call was recorded and before its result. */
function mayBeUnknown(toolCallId: string): boolean {
  const [point = '', turn, index] = toolCallId.split('/');
  const tool = FAIL_POINT_TOOLS[Number(index)];
  const within = ['after:answered', 'call:', 'toolCompleted:', 'toolStarted'];
  return (
    (tool === 'once' || tool === 'paid') &&
    point.endsWith(`:${turn}`) &&
    within.some((part) => point.includes(part)) &&
    point !== `after:toolCompleted:${tool}:${turn}`
  );
}
