import { AgentException } from '@nestor/core';
import { pause } from '../waiting/pause.js';
import { within } from '../waiting/within.js';
import type { SqlExecutor } from './sql-executor.js';
import { isUnavailable } from './unavailable.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Times a database that answers may refuse the work. */
const MOST_REFUSALS = 3;
const PING_LIMIT_MS = 2_000;

export interface OutlastOptions {
  /** How long it is repeated, in ms; then the failure is thrown. Default: no limit. */
  readonly forMs?: number;
  /** Asked before each attempt: throws if it is of no use any more. */
  readonly check?: () => void;
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Repeats work as long as the database is away. One that answers and refuses it three times is believed, and so is an
 * `AgentException` of another code. The work may be done twice, when only its answer was lost.
 */
export async function outlast<T>(
  database: SqlExecutor,
  work: () => Promise<T>,
  { forMs = Infinity, check, signal }: OutlastOptions,
): Promise<T> {
  const until = performance.now() + forMs;
  let refusals = 0;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    check?.();
    try {
      return await work();
    } catch (error) {
      const away = isUnavailable(error);
      if ((error instanceof AgentException && !away) || performance.now() > until) throw error;
      if (!away && (await answers(database)) && ++refusals >= MOST_REFUSALS) throw error;
    }
    await pause(wait, signal);
  }
}

async function answers(database: SqlExecutor): Promise<boolean> {
  const late = (): Error => new Error('The database does not answer.');
  try {
    await within(PING_LIMIT_MS, database.query('SELECT 1'), late);
    return true;
  } catch {
    return false;
  }
}
