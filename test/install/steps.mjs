// Steps of a check, each with a time limit: a step that fails or hangs says what it wrote.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Settings of the machine's npm that a nested npm needs; the rest belongs to the npm that may have started us. */
const NPM_SETTINGS = /^npm_config_(registry|cache|userconfig|cafile|proxy|https_proxy|noproxy)$/i;
/** What the machine's owner set for other models must not reach the applications under test. */
const OTHERS = /^(npm_|OPENAI_|LLM_|NODE_OPTIONS$|NODE_PATH$|VITEST|JEST|INIT_CWD$)/i;

export const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => NPM_SETTINGS.test(name) || !OTHERS.test(name)),
);

const running = new Set();
process.on('exit', stopAll);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** Ends whatever is still running. */
export function stopAll() {
  for (const started of running) started.kill('the check is over');
}

/** Runs a command to its end and gives what it wrote. Fails with the output if it fails or takes too long. */
export async function run(command, args, { cwd, seconds }) {
  const started = start(command, args, { cwd });
  const timer = setTimeout(() => started.kill(`took more than ${seconds} s`), seconds * 1000);
  try {
    return await started.ended;
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a command. `ended` gives what it wrote, or fails with it; `kill` ends it and all it has started. */
export function start(command, args, { cwd, env = {} }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = [];
  let problem;
  child.stdout.on('data', (data) => written.push(data));
  child.stderr.on('data', (data) => written.push(data));
  const output = () => Buffer.concat(written).toString();
  const failure = (what) => new Error(`${[command, ...args].join(' ')}: ${what}\n${output()}`);
  const ended = once(child, 'close').then(([code]) => {
    if (code === 0 && problem === undefined) return output();
    throw failure(problem ?? `exit code ${code}`);
  });
  const started = {
    ended,
    get running() {
      return running.has(started);
    },
    stop: (signal) => child.kill(signal),
    kill(why) {
      problem = why;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    },
  };
  running.add(started);
  const forget = () => running.delete(started);
  // Whoever started it asks how it ended later, or never if another step has failed first.
  ended.then(forget, forget);
  return started;
}

/** Says what is done, and how long it took. */
export async function timed(name, work) {
  const begin = performance.now();
  const result = await work();
  console.log(`${name}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  return result;
}
