// Starts the built runtime as a user would, asks it one question, as JSON and as a stream, and starts it again.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../apps/runtime/dist/main.js', import.meta.url));
const {
  OPENAI_API_KEY: _key,
  OPENAI_BASE_URL: _url,
  NESTOR_API_TOKEN: _token,
  DATABASE_URL: _database,
  ...env
} = process.env;
// The database is a file below the folder where the runtime is started.
const folder = await mkdtemp(join(tmpdir(), 'nestor-smoke-'));
let child = start();
const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000);

try {
  let origin = await listening(child);
  const health = await fetch(`${origin}/health`);
  assert.equal(health.status, 200);
  assert.deepEqual((await health.json()).database, { kind: 'sqlite', status: 'ok' });

  const answer = await ask(origin, 'application/json');
  const output = await answer.json();
  assert.equal(answer.status, 200);
  assert.match(output.content, /password/i);
  assert.equal(output.exitReason, 'stop');
  assert.equal(output.turnsUsed, 2);
  assert.equal(Object.keys(output.toolResults).length, 1);

  const events = (await (await ask(origin, 'text/event-stream')).text()).match(/^event: .*$/gm);
  for (const name of ['token', 'tool_start', 'tool_end']) assert.ok(events.includes(`event: ${name}`), name);
  assert.equal(events.at(-1), 'event: done');
  await stop(child);

  child = start();
  origin = await listening(child);
  const { runs } = await (await fetch(`${origin}/runs?status=completed`)).json();
  assert.equal(runs.length, 2);
  const journal = await (await fetch(`${origin}/runs/${output.runId}/events`)).json();
  assert.equal(journal.events.at(-1).type, 'AGENT_LOOP_EXITED');
  await stop(child);
  console.log('The built runtime answers, and remembers.');
} catch (error) {
  child.kill('SIGKILL');
  console.error(error);
  process.exitCode = 1;
} finally {
  clearTimeout(giveUp);
  await rm(folder, { recursive: true, force: true });
}

function start() {
  return spawn(process.execPath, [main], {
    cwd: folder,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function stop(runtime) {
  runtime.kill('SIGTERM');
  const [code, signal] = await once(runtime, 'exit');
  assert.ok(code === 0 || signal === 'SIGTERM', `exit ${code} ${signal}`);
}

function listening({ stdout }) {
  let text = '';
  return new Promise((resolve, reject) => {
    stdout.on('data', (chunk) => {
      text += chunk;
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (origin) resolve(origin);
    });
    stdout.on('end', () => reject(new Error(`The runtime ended before it listened: ${text}`)));
  });
}

function ask(origin, accept) {
  return fetch(`${origin}/agents/customerSupport/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ input: 'How do I reset my password?' }),
  });
}
