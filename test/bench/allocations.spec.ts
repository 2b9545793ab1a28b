import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** KB on the heap, some 30 % above what Node 20 needs; Node 24 needs 7 % more a request, 13 % more a token. */
const LIMIT_PER_REQUEST_KB = 96;
const LIMIT_PER_TOKEN_KB = 1.65;

interface MockServer {
  stop(): void;
}

interface Processes {
  startMockServer(): Promise<MockServer>;
  runWorker<Figures>(work: { server: MockServer; runnerFile: string; workload: string }): Promise<Figures>;
}

interface Allocations {
  readonly perRequestKb: number;
  readonly perTokenKb: number;
}

interface Serialisations {
  readonly calls: number;
  readonly characters: number;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

let processes: Processes;
let server: MockServer;
let directory: string;
let runnerFile: string;

// The worker runs under plain Node, as users run the library, so it is given the sources as one plain module.
beforeAll(async () => {
  const processesFile: string = path('processes.mjs');
  processes = await import(processesFile);
  server = await processes.startMockServer();
  directory = await mkdtemp(path('../../node_modules/.nestor-bench-'));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@nestor/core': path('../../libs/core/src/index.ts') } },
    build: {
      ssr: path('runners/nestor.mjs'),
      outDir: directory,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'runner.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  runnerFile = join(directory, 'runner.mjs');
}, 60_000);

afterAll(async () => {
  server.stop();
  await rm(directory, { recursive: true, force: true });
});

it('an agent allocates no more than it used to', async () => {
  const { perRequestKb, perTokenKb } = await measured<Allocations>('allocations');
  expect.soft(perRequestKb).toBeGreaterThan(1);
  expect.soft(perRequestKb).toBeLessThan(LIMIT_PER_REQUEST_KB);
  expect.soft(perTokenKb).toBeGreaterThan(0.1);
  expect.soft(perTokenKb).toBeLessThan(LIMIT_PER_TOKEN_KB);
});

describe('what an agent serialises', () => {
  let counts: Record<'turns10' | 'turns20' | 'turns40' | 'history', Serialisations>;

  beforeAll(async () => {
    counts = await measured('serialisations');
  }, 60_000);

  it('is the same for each turn, however long the conversation has become', () => {
    const { turns10, turns20, turns40 } = counts;
    expect(turns40.calls - turns20.calls).toBe(2 * (turns20.calls - turns10.calls));
    expect(turns40.characters - turns20.characters).toBe(2 * (turns20.characters - turns10.characters));
  });

  it('is the answer, the results of its tools, their messages, and the name of the model', () => {
    const perTurn = (counts.turns20.calls - counts.turns10.calls) / 10;
    expect(perTurn).toBeLessThanOrEqual(1 + 4 + 4 + 1);
  });

  it('is each message of the history once in the whole run', () => {
    expect(counts.history.calls - counts.turns10.calls).toBe(500);
  });
});

function measured<Figures>(workload: string): Promise<Figures> {
  return processes.runWorker<Figures>({ server, runnerFile, workload });
}
