// One process, one runner, one workload: node worker.mjs RUNNER WORKLOAD BASE_URL [PROFILE]. Prints one line of JSON.
// Nothing but the runner is imported before the runner, so that a cold start is the runner's own.
const [runnerFile, workload, baseURL, profileFile] = process.argv.slice(2);

const { toolCalls, tools } = await import('./scenario.mjs');
const { create } = await import(runnerFile);
const runner = await create({ baseURL, tools });
const readyMs = performance.now();
const { Workloads } = await import('./workloads.mjs');
const workloads = new Workloads(runner, readyMs, profileFile);
const figures = await workloads[workload]();
const { requests, toolCalls: calls } = workloads.expected;
if (toolCalls.count !== calls) throw new Error(`${toolCalls.count} tool calls were made, not ${calls}.`);
console.log(JSON.stringify({ ...figures, requests }));
await runner.close?.();
// Keep-alive sockets of a runner without `close` would hold the process.
process.exit(0);
