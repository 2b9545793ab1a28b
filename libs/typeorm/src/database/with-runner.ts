import type { DataSource, QueryRunner } from 'typeorm';
import { within } from '../waiting/within.js';
import { UnansweredError } from './unavailable.js';

/**
 * Lends a connection to some work. One that is not done in time may wait for an answer that never comes, as behind a
 * network that swallows packets: its connection is cut, not given to the next.
 * @param limitMs waiting for a free connection included; undefined for drivers that do not wait
 * @throws UnansweredError when the time is over; the work may still have been done
 */
export async function withRunner<T>(
  dataSource: DataSource,
  limitMs: number | undefined,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner('master');
  let late = false;
  try {
    if (limitMs === undefined) return await work(runner);
    return await within(limitMs, work(runner), () => {
      late = true;
      return new UnansweredError(limitMs);
    });
  } finally {
    // Not waited for: there may be no connection yet.
    if (late) void cut(runner);
    else await runner.release();
  }
}

/** Never rejects. */
async function cut(runner: QueryRunner): Promise<void> {
  try {
    const connection: unknown = await runner.connect();
    if (typeof connection === 'object' && connection !== null) close(connection);
    await runner.release();
  } catch {
    // It never came, or is gone already.
  }
}

/** `mysql2` destroys; `pg` knows only `end`, which closes the socket at once if a statement is under way. */
function close(connection: object): void {
  if ('destroy' in connection && typeof connection.destroy === 'function') connection.destroy();
  else if ('end' in connection && typeof connection.end === 'function') connection.end(() => {});
}
