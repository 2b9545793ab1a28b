import { AgentAbortedException, wellFormed } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { textOf } from '../database/column-value.js';
import { storageKey } from '../database/storage-key.js';
import type { IdleRunEnd } from './idle-run.end.js';
import { runTransaction } from './run-transaction.js';

/** Ends runs on request, wherever they are. */
export class RunCancellation {
  readonly #database: AgentDatabase;
  readonly #runs: string;
  readonly #idle: IdleRunEnd;

  constructor(database: AgentDatabase, idle: IdleRunEnd) {
    this.#database = database;
    this.#runs = database.table('agent_run');
    this.#idle = idle;
  }

  /** Ends a run that nobody executes; asks the process that executes it otherwise. False if it has ended, or is none. */
  cancel(runId: string, reason: string): Promise<boolean> {
    return runTransaction(this.#database, async (transaction) => {
      const { now } = this.#database.dialect;
      const { affected } = await transaction.query(
        `UPDATE ${this.#runs} SET cancel_requested_at = COALESCE(cancel_requested_at, ${now}), updated_at = ${now} ` +
          `WHERE id = ? AND ended_at IS NULL`,
        [storageKey(runId)],
      );
      if (affected === 0) return false;
      const { rows } = await transaction.query(
        `SELECT id, agent FROM ${this.#runs} WHERE id = ? AND (status <> 'running' OR lease_until <= ${now})`,
        [storageKey(runId)],
      );
      const idle = rows[0];
      if (idle) {
        const error = wellFormed(new AgentAbortedException(textOf(idle['agent']), reason).message);
        await this.#idle.end(transaction, textOf(idle['id']), {
          status: 'aborted',
          exitReason: 'aborted',
          error,
        });
      }
      return true;
    });
  }
}
