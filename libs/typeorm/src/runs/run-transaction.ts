import type { AgentDatabase } from '../database/agent-database.js';
import type { SqlDialect } from '../database/sql-dialect.js';
import type { SqlExecutor } from '../database/sql-executor.js';

/**
 * A process that stands still or vanishes in the middle of a transaction keeps the row of its run locked, and nobody
 * could take the run over. So the server ends transactions that idle for five seconds.
 */
const IDLE_LIMIT: Readonly<Record<SqlDialect['kind'], string | undefined>> = {
  postgres: 'SET LOCAL idle_in_transaction_session_timeout = 5000',
  // MySQL knows no such limit and reads what MariaDB is told as a comment.
  mysql: 'SET @nestor_idle_limit = 5 /*M!100300 , SESSION idle_transaction_timeout = 5 */',
  sqlite: undefined,
};

/** A transaction that locks the row of a run. */
export function runTransaction<T>(
  database: AgentDatabase,
  work: (transaction: SqlExecutor) => Promise<T>,
): Promise<T> {
  const limit = IDLE_LIMIT[database.dialect.kind];
  return database.transaction(async (transaction) => {
    if (limit !== undefined) await transaction.query(limit);
    return work(transaction);
  });
}
