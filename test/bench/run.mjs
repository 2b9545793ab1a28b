// Measures the runners against each other: see README.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureDurable } from './durable/run.mjs';
import { measureLanguage } from './language.mjs';
import { PLAN, RUNNERS } from './plan.mjs';
import { startMockServer, runWorker } from './processes.mjs';
import { summarise } from './profile.mjs';
import { table } from './report.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    workloads: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});

const known = [...new Set(Object.values(PLAN).flatMap(({ runners = RUNNERS }) => runners))];
const only = chosen('only', known);
const workloads = chosen('workloads', Object.keys(PLAN));
const rounds = Number(options.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new RangeError(`--rounds must be an integer >= 1, got ${options.rounds}.`);
}
if (options.profile) mkdirSync(options.profile, { recursive: true });

const results = {};
let failures = 0;
const server = await startMockServer();
try {
  for (let round = 0; round < rounds; round++) {
    for (const workload of workloads) await measureAll(workload, round);
    process.stderr.write(` round ${round + 1} of ${rounds}\n`);
    if (options.json) writeFileSync(options.json, JSON.stringify(results, null, 2));
  }
} finally {
  server.stop();
}
for (const workload of workloads) {
  if (results[workload]) console.log(table(PLAN[workload], results[workload]));
}
// These are none of the workloads above: with a choice of those they are not asked for.
if (!options.only && !options.workloads) {
  if (!measureLanguage()) failures += 1;
  if (!(await measureDurable())) failures += 1;
}
if (failures > 0) process.exitCode = 1;

/** Every runner once, in an order that changes from round to round: a slow spell of the machine hits all alike. */
async function measureAll(workload, round) {
  const runners = (PLAN[workload].runners ?? RUNNERS).filter((name) => only.includes(name));
  for (const index of runners.keys()) {
    const runner = runners[(index + round) % runners.length];
    try {
      const figures = await measureOne(workload, runner);
      const byRunner = (results[workload] ??= Object.fromEntries(runners.map((name) => [name, []])));
      byRunner[runner].push(figures);
      process.stderr.write('.');
    } catch (error) {
      failures += 1;
      process.stderr.write(`\n${error.message}\n`);
    }
  }
}

async function measureOne(workload, runner) {
  const profileFile = options.profile && resolve(options.profile, `${runner}-${workload}.cpuprofile`);
  const figures = await runWorker({
    server,
    runnerFile: join(import.meta.dirname, 'runners', `${runner}.mjs`),
    workload,
    profileFile,
    nodeArguments: PLAN[workload].nodeArguments,
  });
  if (profileFile && !['cold', 'rss'].includes(workload)) process.stderr.write(`\n${summarise(profileFile)}`);
  return figures;
}

function chosen(option, all) {
  const names = options[option]?.split(',') ?? all;
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) {
    throw new RangeError(`--${option} does not know ${unknown.join(', ')}. Known: ${all.join(', ')}.`);
  }
  return names;
}
