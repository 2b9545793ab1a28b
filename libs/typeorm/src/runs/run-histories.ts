import type { AnswerStep, NewRun, RecordedCall, RunHistory, ToolResultStep } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import type { SqlRow } from '../database/sql-executor.js';
import { storageKey } from '../database/storage-key.js';
import { RunApprovals } from './run-approvals.js';
import { toolStepKey } from './step-rows.js';
import { readStored } from './stored-json.js';

/** Rebuilds runs from their rows. */
export class RunHistories {
  readonly #database: AgentDatabase;
  readonly #approvals: RunApprovals;

  constructor(database: AgentDatabase, approvals: RunApprovals) {
    this.#database = database;
    this.#approvals = approvals;
  }

  /** @throws AgentException `corrupt_row` */
  async read(runId: string): Promise<RunHistory | undefined> {
    const found = await this.#database.query(
      `SELECT input, caller FROM ${this.#database.table('agent_run')} WHERE id = ?`,
      [storageKey(runId)],
    );
    const row = found.rows[0];
    if (!row) return undefined;
    const run = readRun(runId, row);
    const { rows } = await this.#database.query(
      `SELECT turn, step_key, kind, status, payload FROM ${this.#database.table('agent_step')} ` +
        `WHERE run_id = ? ORDER BY turn, ordinal`,
      [runId],
    );
    const answers = rows
      .filter(({ kind }) => kind === 'answer')
      .map((step) => readStored(step['payload'], runId, placeOf(step)) as AnswerStep);
    return { run, answers, calls: await this.#calls(runId, answers, rows) };
  }

  async #calls(
    runId: string,
    answers: readonly AnswerStep[],
    rows: readonly SqlRow[],
  ): Promise<ReadonlyMap<string, RecordedCall>> {
    const steps = new Map(rows.map((row) => [`${numberOf(row['turn'])} ${textOf(row['step_key'])}`, row]));
    const asked = answers.flatMap(({ turn, calls }) => calls.map((call) => ({ ...call, turn })));
    const approvals = await this.#approvals.of(runId, asked);
    return new Map(
      asked.map(({ turn, ordinal, toolCallId }) => {
        const row = steps.get(`${turn} ${toolStepKey(ordinal)}`);
        const call = { ...readCall(runId, row), approvals: approvals.get(toolCallId) ?? [] };
        return [toolCallId, call];
      }),
    );
  }
}

function readRun(runId: string, row: SqlRow): NewRun {
  const run = readStored(row['input'], runId, 'agent_run.input') as NewRun;
  const caller = row['caller'];
  return typeof caller === 'string' ? { ...run, caller: JSON.parse(caller) as unknown } : run;
}

function readCall(runId: string, row: SqlRow | undefined): Omit<RecordedCall, 'approvals'> {
  const payload = row?.['payload'];
  return {
    started: row !== undefined && row['status'] !== 'waiting' && row['status'] !== 'planned',
    result:
      typeof payload === 'string' ? (readStored(payload, runId, placeOf(row)) as ToolResultStep) : undefined,
  };
}

function placeOf(row: SqlRow | undefined): string {
  return `agent_step (turn ${String(row?.['turn'])}, ${String(row?.['step_key'])})`;
}
