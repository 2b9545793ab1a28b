import { pause } from '../waiting/pause.js';

const RETRY_FOR_MS = 10_000;
const FIRST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 50;

/**
 * Repeats work that met a busy database or a deadlock, for ten seconds at most. SQLite's own `busy_timeout` would
 * wait too, but with the whole process standing still.
 */
export async function retryTransient<T>(codes: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + RETRY_FOR_MS;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!codes.has(errorCode(error)) || Date.now() > until) throw error;
      // Apart from one another, or two that met would meet again.
      await pause(wait * (0.5 + Math.random()));
    }
  }
}

/** The driver's code of an error, e.g. `SQLITE_BUSY`, `40P01`; empty if it has none. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
