// Starts the built runtime as a user would and asks it one question, as JSON and as a stream.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../apps/runtime/dist/main.js', import.meta.url));
const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, NESTOR_API_TOKEN: _token, ...env } = process.env;
const child = spawn(process.execPath, [main], {
  env: { ...env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const giveUp = setTimeout(() => child.kill('SIGKILL'), 60_000);

try {
  const origin = await listening(child);
  const health = await fetch(`${origin}/health`);
  assert.equal(health.status, 200);

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

  child.kill('SIGTERM');
  const [code, signal] = await once(child, 'exit');
  assert.ok(code === 0 || signal === 'SIGTERM', `exit ${code} ${signal}`);
  console.log('The built runtime answers.');
} catch (error) {
  child.kill('SIGKILL');
  console.error(error);
  process.exitCode = 1;
} finally {
  clearTimeout(giveUp);
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
