import { AgentException } from '@nestor/core';
import { errorMessage } from './error-message.js';
import { errorCode } from './retry-transient.js';

/** Codes of Node, PostgreSQL and the drivers that say: no connection, none any more, or no place for one. */
const CODES = new Set(
  [
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOENT',
    '57P01 57P02 57P03 08000 08001 08003 08004 08006 53300',
    'PROTOCOL_CONNECTION_LOST ER_CON_COUNT_ERROR ER_SERVER_SHUTDOWN ER_NORMAL_SHUTDOWN',
  ].flatMap((codes) => codes.split(' ')),
);

/** What `pg` and `mysql2` say of a lost connection without any code. */
const TEXTS =
  /connection terminated|timeout exceeded when trying to connect|not queryable|connection is in closed state/i;

/** A statement was not answered in time. */
export class UnansweredError extends Error {
  constructor(limitMs: number) {
    super(`it did not answer within ${limitMs} ms`);
  }
}

/** The error of a database that is away, as an `AgentException` `database_unavailable`; any other as it is. */
export function asUnavailable(error: unknown): unknown {
  const code = errorCode(error);
  const away = error instanceof UnansweredError || CODES.has(code) || TEXTS.test(errorMessage(error));
  if (!away) return error;
  // Not the driver's whole text: it tells where the server is, and this goes out to clients.
  return new AgentException(
    `The agent database is not available (${code || errorMessage(error)}). ` +
      `Try again later; whoever runs it checks that the server is up and DATABASE_URL is right.`,
    { code: 'database_unavailable', cause: error },
  );
}

/** True for the error of a database that is away: the same may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AgentException && error.code === 'database_unavailable';
}
