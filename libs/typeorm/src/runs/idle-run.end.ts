import type { AgentCallbackContext, LoopExitedPayload } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import type { SqlExecutor, SqlRow } from '../database/sql-executor.js';
import { startedCalls } from './started-calls.js';
import type { StepJournal } from './step-events.js';

export interface IdleEnd {
  readonly status: 'failed' | 'aborted';
  readonly exitReason: 'error' | 'aborted';
  readonly error: string;
}

/** Ends runs that no process executes: in their row and in the journal. Whoever still thinks to own one is fenced off. */
export class IdleRunEnd {
  readonly #database: AgentDatabase;
  readonly #runs: string;
  readonly #journal: StepJournal | undefined;

  constructor(database: AgentDatabase, journal: StepJournal | undefined) {
    this.#database = database;
    this.#runs = database.table('agent_run');
    this.#journal = journal;
  }

  /** @param transaction has the run's row locked */
  async end(transaction: SqlExecutor, runId: string, { status, exitReason, error }: IdleEnd): Promise<void> {
    const { now } = this.#database.dialect;
    await transaction.query(
      `UPDATE ${this.#runs} SET status = ?, exit_reason = ?, error = ?, fence = fence + 1, ` +
        `version = version + 1, lease_until = NULL, ended_at = ${now}, updated_at = ${now} WHERE id = ?`,
      [status, exitReason, error, runId],
    );
    if (!this.#journal) return;
    const { rows } = await transaction.query(
      `SELECT agent, session_id, turn, total_llm_calls, total_tokens, ` +
        `ended_at - COALESCE(started_at, created_at) AS duration FROM ${this.#runs} WHERE id = ?`,
      [runId],
    );
    const row = rows[0];
    if (!row) return;
    const started = await startedCalls(this.#database, transaction, runId, numberOf(row['turn']));
    await this.#journal.exit(transaction, exitOf(row, exitReason), contextOf(runId, row), started);
  }
}

function exitOf(row: SqlRow, exitReason: IdleEnd['exitReason']): LoopExitedPayload {
  return {
    totalTurns: numberOf(row['turn']),
    totalLlmCalls: numberOf(row['total_llm_calls']),
    totalLlmTokens: numberOf(row['total_tokens']),
    totalLatencyMs: numberOf(row['duration']),
    exitReason,
  };
}

function contextOf(runId: string, row: SqlRow): AgentCallbackContext {
  const agent = textOf(row['agent']);
  const session = row['session_id'];
  return {
    executionId: runId,
    graphName: agent,
    nodeId: agent,
    operatorRef: agent,
    sessionId: typeof session === 'string' ? session : undefined,
    traceparent: undefined,
  };
}
