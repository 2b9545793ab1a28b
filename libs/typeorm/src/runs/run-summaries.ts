import {
  AgentException,
  wellFormed,
  type ExitReason,
  type RunOutcome,
  type RunQuery,
  type RunResult,
  type RunStatus,
  type RunSummary,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import type { SqlRow, SqlValue } from '../database/sql-executor.js';
import { hashKey, storageKey } from '../database/storage-key.js';
import { readStored } from './stored-json.js';

const COLUMNS =
  'id, agent, session_id, status, turn, total_tokens, exit_reason, error, created_at, started_at, ended_at';

/** What is said of runs without reading their steps. */
export class RunSummaries {
  readonly #database: AgentDatabase;
  readonly #runs: string;

  constructor(database: AgentDatabase) {
    this.#database = database;
    this.#runs = database.table('agent_run');
  }

  async find(runId: string): Promise<RunSummary | undefined> {
    const { rows } = await this.#database.query(`SELECT ${COLUMNS}, output FROM ${this.#runs} WHERE id = ?`, [
      storageKey(runId),
    ]);
    return rows[0] && summary(rows[0]);
  }

  /** Newest first, without their outputs. */
  async list(query: RunQuery): Promise<readonly RunSummary[]> {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    const where = (condition: string, ...given: SqlValue[]): void => {
      conditions.push(condition);
      values.push(...given);
    };
    if (query.agentId !== undefined) where('agent = ?', agentColumn(query.agentId));
    if (query.sessionId !== undefined) where('session_key = ?', hashKey(query.sessionId));
    if (query.status !== undefined) where('status = ?', query.status);
    if (query.before !== undefined) {
      const createdAt = await this.#createdAt(query.before);
      where('(created_at < ? OR (created_at = ? AND id < ?))', createdAt, createdAt, query.before);
    }
    const { rows } = await this.#database.query(
      `SELECT ${COLUMNS} FROM ${this.#runs} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : ''}` +
        `ORDER BY created_at DESC, id DESC LIMIT ?`,
      [...values, query.limit ?? 50],
    );
    return rows.map(summary);
  }

  /** @throws AgentException `unknown_run` */
  async #createdAt(runId: string): Promise<number> {
    const { rows } = await this.#database.query(`SELECT created_at FROM ${this.#runs} WHERE id = ?`, [
      storageKey(runId),
    ]);
    if (rows[0]) return numberOf(rows[0]['created_at']);
    throw new AgentException(
      `There is no run "${runId.slice(0, 100)}" to list runs before. List from the start again.`,
      { code: 'unknown_run' },
    );
  }
}

/** The status of a run that has ended. */
export function endStatus({ exitReason, error }: RunOutcome): RunStatus {
  if (exitReason === 'aborted') return 'aborted';
  return error === undefined ? 'completed' : 'failed';
}

/** The agent's id as the column takes it. */
export function agentColumn(agentId: string): string {
  return wellFormed(agentId.slice(0, 255));
}

function summary(row: SqlRow): RunSummary {
  const { session_id: sessionId, started_at: startedAt, ended_at: endedAt } = row;
  return {
    runId: textOf(row['id']),
    agentId: textOf(row['agent']),
    sessionId: typeof sessionId === 'string' ? sessionId : undefined,
    // Written by this package alone.
    status: textOf(row['status']) as RunStatus,
    startedAt: numberOf(startedAt ?? row['created_at']),
    endedAt: endedAt === null ? undefined : numberOf(endedAt),
    outcome: endedAt === null ? undefined : outcomeOf(row),
  };
}

function outcomeOf(row: SqlRow): RunOutcome {
  const { error, output } = row;
  return {
    // Written by this package alone.
    exitReason: textOf(row['exit_reason']) as ExitReason,
    turnsUsed: numberOf(row['turn']),
    totalTokens: numberOf(row['total_tokens']),
    error: typeof error === 'string' ? error : undefined,
    ...(typeof output === 'string' && {
      output: readStored(output, textOf(row['id']), 'agent_run.output') as RunResult,
    }),
  };
}
