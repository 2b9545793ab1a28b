// How a piece of work is measured inside its own process.
import { writeFileSync } from 'node:fs';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Repeats `work` for some seconds, and at least `times` times. Gives what each call gave. */
export async function repeat({ seconds, times }, work) {
  const results = [];
  const end = performance.now() + seconds * 1000;
  while (results.length < times || performance.now() < end) results.push(await work());
  return results;
}

/**
 * As `repeat`, with the cost of it all: CPU in us of all threads (the JIT and the collector included) and bytes
 * allocated on the heap. Those are the sum of what was added between two collections.
 */
export async function sample(limits, work, profileFile) {
  const { GCProfiler } = await import('node:v8');
  const collections = new GCProfiler();
  const stopProfile = profileFile ? await startProfile() : undefined;
  let heap = process.memoryUsage().heapUsed;
  collections.start();
  const cpuBefore = process.cpuUsage();
  const results = await repeat(limits, work);
  const cpu = process.cpuUsage(cpuBefore);
  let allocated = 0;
  for (const { beforeGC, afterGC } of collections.stop().statistics) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - heap);
    heap = afterGC.heapStatistics.usedHeapSize;
  }
  allocated += Math.max(0, process.memoryUsage().heapUsed - heap);
  if (stopProfile) writeFileSync(profileFile, JSON.stringify(await stopProfile()));
  return { results, cpuUs: cpu.user + cpu.system, allocated };
}

async function startProfile() {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  return async () => (await session.post('Profiler.stop')).profile;
}
