// Starts the mock server and the workers. Whoever starts something here also ends it.
import { fork, spawn } from 'node:child_process';
import { join } from 'node:path';

const here = import.meta.dirname;
const WORKER_LIMIT_MS = 180_000;

/** The mock server in a process of its own; `stop` ends it. */
export async function startMockServer() {
  const child = fork(join(here, 'mock-server.mjs'), { execArgv: [] });
  const port = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`The mock server ended with ${code}.`)));
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    baseURL: `${origin}/v1`,
    /** What was asked since the last time. */
    takeSeen: async () => (await fetch(`${origin}/seen`)).json(),
    stop: () => child.kill(),
  };
}

/**
 * Runs one workload in a fresh process and gives its figures.
 * @throws Error with what the process wrote, if it failed or asked the server more or less than it should.
 */
export async function runWorker({ server, runnerFile, workload, profileFile, nodeArguments = [] }) {
  await server.takeSeen();
  const worker = join(here, 'worker.mjs');
  const given = [runnerFile, workload, server.baseURL, ...(profileFile ? [profileFile] : [])];
  const child = spawn(process.execPath, [...nodeArguments, worker, ...given], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: WORKER_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  const seen = await server.takeSeen();
  const name = `${workload} of ${runnerFile}`;
  if (code !== 0) throw new Error(`${name} ended with ${code}. ${seen.error ?? ''}\n${errors}`);
  const figures = JSON.parse(output.trim().split('\n').at(-1));
  if (seen.requests !== figures.requests) {
    throw new Error(`${name} made ${seen.requests} requests, not ${figures.requests}.`);
  }
  return { ...figures, sentKb: seen.bytes / seen.requests / 1024 };
}
