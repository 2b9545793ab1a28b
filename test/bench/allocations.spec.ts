import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** KB on the heap, some 30 % above what was measured on Node 20. */
const LIMIT_PER_REQUEST_KB = 1000;
const LIMIT_PER_TOKEN_KB = 1000;

interface MockServer {
  stop(): void;
}

interface Processes {
  startMockServer(): Promise<MockServer>;
  runWorker<Figures>(work: { server: MockServer; runnerFile: string; workload: string }): Promise<Figures>;
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
  server = await processes.startMockServer();
}, 60_000);

afterAll(async () => {
  server.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('what an agent allocates', () => {
  it('stays below the limit for each request of a loop', async () => {
    const { allocatedKb } = await measured<{ allocatedKb: number }>('loop');
    expect(allocatedKb).toBeGreaterThan(0);
    expect(allocatedKb).toBeLessThan(LIMIT_PER_REQUEST_KB);
  });

  it('stays below the limit for each token of a stream', async () => {
    const { allocatedKb } = await measured<{ allocatedKb: number }>('stream');
    expect(allocatedKb).toBeGreaterThan(0);
    expect(allocatedKb).toBeLessThan(LIMIT_PER_TOKEN_KB);
  });
});

describe('what an agent serialises', () => {
  it('is each message once, however long the conversation becomes', async () => {
    const counts =
      await measured<Record<'turns10' | 'turns20' | 'turns40' | 'history', Serialisations>>('serialisations');
    console.log(counts);
  });
});

function measured<Figures>(workload: string): Promise<Figures> {
  return processes.runWorker<Figures>({ server, runnerFile, workload });
}
