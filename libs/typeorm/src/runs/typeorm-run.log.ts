import {
  AgentException,
  wellFormed,
  type AnswerStep,
  type PendingApproval,
  type RunLog,
  type RunOutcome,
  type ToolResultStep,
  type ToolStartedStep,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { insertRows } from '../database/insert-rows.js';
import type { SqlExecutor, SqlValue } from '../database/sql-executor.js';
import type { RunApprovals } from './run-approvals.js';
import type { RunChange, RunLease } from './run-lease.js';
import { totalsChange, withAnswer, type RunTotals } from './run-totals.js';
import { endStatus } from './run-summaries.js';
import { resultStatus, STEP_COLUMNS, stepRows, toolStepKey } from './step-rows.js';

const NO_CHANGE: RunChange = { sql: '', values: [] };

/** Where the run stands that a log goes on with. */
export interface RunPosition {
  readonly totals: RunTotals;
  /** The calls of the last answer. */
  readonly calls: readonly ToolStartedStep[];
}

/** Writes the steps of one run, each in a transaction of its own, as long as its lease holds. */
export class TypeOrmRunLog implements RunLog {
  readonly #database: AgentDatabase;
  readonly #approvals: RunApprovals;
  readonly #lease: RunLease;
  #totals: RunTotals;
  #calls: readonly ToolStartedStep[];

  constructor(database: AgentDatabase, approvals: RunApprovals, lease: RunLease, position: RunPosition) {
    this.#database = database;
    this.#approvals = approvals;
    this.#lease = lease;
    this.#totals = position.totals;
    this.#calls = position.calls;
  }

  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  async answered(step: AnswerStep): Promise<void> {
    const { runId, fence } = this.#lease.holder;
    const { dialect } = this.#database;
    const totals = withAnswer(this.#totals, step);
    const rows = stepRows(runId, fence, step);
    await this.#lease.write(totalsChange(totals), async (transaction) => {
      // Rows that are there already are from a first try whose answer was lost.
      const insert = `${dialect.insertIgnore} ${this.#database.table('agent_step')}`;
      await insertRows(transaction, insert, STEP_COLUMNS, rows, dialect.insertIgnoreSuffix);
    });
    this.#totals = totals;
    this.#calls = step.calls;
  }

  toolStarted({ ordinal }: ToolStartedStep): Promise<void> {
    return this.#updateStep(this.#totals.turn, ordinal, 'started', null);
  }

  toolCompleted(step: ToolResultStep): Promise<void> {
    return this.#updateStep(step.turn, step.ordinal, resultStatus(step), JSON.stringify(step));
  }

  suspended(pending: readonly PendingApproval[]): Promise<void> {
    const { runId } = this.#lease.holder;
    // Whoever waits has not crashed: what was counted up to here is forgotten.
    const change = { sql: `, status = 'suspended', lease_until = NULL, attempts = 0`, values: [] };
    return this.#lease.finish(change, (transaction) =>
      this.#approvals.request(transaction, runId, this.#totals.turn, this.#calls, pending),
    );
  }

  ended(outcome: RunOutcome): Promise<void> {
    // Told to leave the run, its loop was aborted: for the run this is no end.
    if (this.lost.aborted && outcome.exitReason === 'aborted') return this.#leave();
    const { exitReason, error, turnsUsed, totalTokens } = outcome;
    const sql =
      `, status = ?, exit_reason = ?, error = ?, turn = ?, total_tokens = ?, ` +
      `ended_at = ${this.#database.dialect.now}, lease_until = NULL`;
    const message = error === undefined ? null : wellFormed(error);
    const values: SqlValue[] = [endStatus(outcome), exitReason, message, turnsUsed, totalTokens];
    return this.#lease.finish({ sql, values });
  }

  /**
   * Gives the run back as it stands, for anybody to claim at once: for a log that no loop has taken, or left without
   * an end. Without effect once the run has ended, waits, or belongs to somebody else.
   */
  async release(): Promise<void> {
    if (!this.#lease.over) await this.#leave();
  }

  #leave(): Promise<void> {
    const sql = `, status = 'queued', lease_until = ${this.#database.dialect.now}, attempts = 0`;
    return this.#lease.finish({ sql, values: [] });
  }

  #updateStep(turn: number, ordinal: number, status: string, payload: string | null): Promise<void> {
    const { runId, fence } = this.#lease.holder;
    return this.#lease.write(NO_CHANGE, async (transaction: SqlExecutor) => {
      const { affected } = await transaction.query(
        `UPDATE ${this.#database.table('agent_step')} SET status = ?, payload = ?, fence = ?, updated_at = ? ` +
          `WHERE run_id = ? AND turn = ? AND step_key = ?`,
        [status, payload, fence, Date.now(), runId, turn, toolStepKey(ordinal)],
      );
      if (affected === 1) return;
      throw new AgentException(
        `Call ${ordinal} of turn ${turn} of run "${runId}" is not recorded. Record the answer that asks for it first.`,
        { code: 'unknown_step' },
      );
    });
  }
}
