import {
  ApprovalException,
  wellFormed,
  type ApprovalDecision,
  type PendingApproval,
  type ToolStartedStep,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { textOf } from '../database/column-value.js';
import { insertRows } from '../database/insert-rows.js';
import type { SqlExecutor, SqlRow } from '../database/sql-executor.js';
import { hashKey, storageKey } from '../database/storage-key.js';
import { runTransaction } from './run-transaction.js';

const COLUMNS = [
  'id',
  'run_id',
  'turn',
  'ordinal',
  'call_id',
  'tool',
  'arguments',
  'arguments_hash',
  'status',
  'requested_at',
];
const LONGEST_NAME = 255;

/** The calls that wait for a person, in `agent_approval`. */
export class RunApprovals {
  readonly #database: AgentDatabase;
  readonly #approvals: string;
  readonly #runs: string;

  constructor(database: AgentDatabase) {
    this.#database = database;
    this.#approvals = database.table('agent_approval');
    this.#runs = database.table('agent_run');
  }

  /** Puts down what a run waits for. One that was put down before stays as it is, with its decision. */
  async request(
    transaction: SqlExecutor,
    runId: string,
    turn: number,
    calls: readonly ToolStartedStep[],
    pending: readonly PendingApproval[],
  ): Promise<void> {
    const { dialect } = this.#database;
    const now = Date.now();
    const ordinals = new Map(calls.map(({ toolCallId, ordinal }) => [toolCallId, ordinal]));
    await insertRows(
      transaction,
      `${dialect.insertIgnore} ${this.#approvals}`,
      COLUMNS,
      pending.map((approval) => [
        approvalKey(runId, approval.toolCallId),
        runId,
        turn,
        ordinals.get(approval.toolCallId) ?? -1,
        wellFormed(approval.toolCallId),
        wellFormed(approval.toolName.slice(0, LONGEST_NAME)),
        JSON.stringify(approval.arguments ?? null),
        approval.argumentsHash,
        'pending',
        now,
      ]),
      dialect.insertIgnoreSuffix,
    );
    await this.#freeIfDecided(transaction, runId);
  }

  /** @throws ApprovalException if the decision does not fit; nothing is stored then */
  decide(runId: string, argumentsHash: string, decision: ApprovalDecision): Promise<void> {
    const key = approvalKey(runId, decision.toolCallId);
    return runTransaction(this.#database, async (transaction) => {
      // Locks the run: of its last two decisions, made at the same time, one must see the other.
      const { affected: waits } = await transaction.query(
        `UPDATE ${this.#runs} SET version = version + 1, updated_at = ${this.#database.dialect.now} ` +
          `WHERE id = ? AND status = 'suspended'`,
        [storageKey(runId)],
      );
      const stored = waits === 1 && (await this.#store(transaction, key, argumentsHash, decision));
      if (!stored) throw await this.#refusal(transaction, runId, key, argumentsHash, decision.toolCallId);
      await this.#freeIfDecided(transaction, runId);
    });
  }

  /** Decisions of a run, by the id of the call. @param toolCallIds those that were asked about */
  async decisions(
    runId: string,
    toolCallIds: readonly string[],
  ): Promise<ReadonlyMap<string, ApprovalDecision>> {
    if (toolCallIds.length === 0) return new Map();
    const { rows } = await this.#database.query(
      `SELECT id, status, edited_arguments, reason FROM ${this.#approvals} ` +
        `WHERE run_id = ? AND status <> 'pending'`,
      [runId],
    );
    const byKey = new Map(rows.map((row) => [textOf(row['id']), row]));
    return new Map(
      toolCallIds.flatMap((toolCallId) => {
        const row = byKey.get(approvalKey(runId, toolCallId));
        return row ? [[toolCallId, readDecision(toolCallId, row)]] : [];
      }),
    );
  }

  async #store(
    transaction: SqlExecutor,
    key: string,
    argumentsHash: string,
    { decision, arguments: edited, reason }: ApprovalDecision,
  ): Promise<boolean> {
    const { affected } = await transaction.query(
      `UPDATE ${this.#approvals} SET status = ?, edited_arguments = ?, reason = ?, decided_at = ${this.#database.dialect.now} ` +
        `WHERE id = ? AND status = 'pending' AND arguments_hash = ?`,
      [
        decision === 'approve' ? 'approved' : 'rejected',
        edited === undefined ? null : JSON.stringify(edited),
        reason === undefined ? null : wellFormed(reason),
        key,
        argumentsHash,
      ],
    );
    return affected === 1;
  }

  /** Lets anybody take the run that waits for nobody any more. */
  async #freeIfDecided(transaction: SqlExecutor, runId: string): Promise<void> {
    await transaction.query(
      `UPDATE ${this.#runs} SET lease_until = ${this.#database.dialect.now} WHERE id = ? AND NOT EXISTS ` +
        `(SELECT 1 FROM ${this.#approvals} WHERE run_id = ? AND status = 'pending')`,
      [runId, runId],
    );
  }

  async #refusal(
    transaction: SqlExecutor,
    runId: string,
    key: string,
    argumentsHash: string,
    toolCallId: string,
  ): Promise<ApprovalException> {
    const { rows } = await transaction.query(
      `SELECT status, arguments_hash FROM ${this.#approvals} WHERE id = ?`,
      [key],
    );
    const call = `tool call "${toolCallId.slice(0, 100)}" of run "${runId.slice(0, 100)}"`;
    const status = rows[0] && textOf(rows[0]['status']);
    if (status === undefined)
      return new ApprovalException('approval_unknown', `Nobody asked for a decision about ${call}.`);
    if (status !== 'pending')
      return new ApprovalException('approval_decided', `The ${call} was decided already: ${status}.`);
    if (textOf(rows[0]?.['arguments_hash']) !== argumentsHash)
      return new ApprovalException(
        'approval_changed',
        `The decision about ${call} is for other arguments than those that wait. Read the run again and decide anew.`,
      );
    return new ApprovalException('run_not_suspended', `The run of ${call} does not wait any more.`);
  }
}

/** Not the id of the call itself, which a provider may have made of anything. */
function approvalKey(runId: string, toolCallId: string): string {
  return hashKey(JSON.stringify([runId, toolCallId]));
}

function readDecision(toolCallId: string, row: SqlRow): ApprovalDecision {
  const edited = row['edited_arguments'];
  const reason = row['reason'];
  return {
    toolCallId,
    decision: textOf(row['status']) === 'approved' ? 'approve' : 'reject',
    ...(typeof edited === 'string' && { arguments: JSON.parse(edited) as unknown }),
    ...(typeof reason === 'string' && { reason }),
  };
}
