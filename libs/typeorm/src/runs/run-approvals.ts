import {
  ApprovalException,
  wellFormed,
  type ApprovalDecision,
  type PendingApproval,
  type RecordedApproval,
  type ToolStartedStep,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import { insertRows } from '../database/insert-rows.js';
import type { SqlExecutor, SqlRow } from '../database/sql-executor.js';
import { storageKey } from '../database/storage-key.js';
import { APPROVAL_COLUMNS, approvalKey, approvalRow, readApproval } from './approval-rows.js';
import { runTransaction } from './run-transaction.js';
import { toolStepKey } from './step-rows.js';

/**
 * The questions to people, in `agent_approval`: one row per call and holder of the run that asked. Whoever writes here
 * has locked the row of the run before, so of a decision and an expiry at the same moment one sees the other.
 */
export class RunApprovals {
  readonly #database: AgentDatabase;
  readonly #approvals: string;
  readonly #runs: string;
  /** SQL: true for questions whose time is over. */
  readonly #isLate: string;

  constructor(database: AgentDatabase) {
    this.#database = database;
    this.#approvals = database.table('agent_approval');
    this.#runs = database.table('agent_run');
    this.#isLate = `status = 'pending' AND expires_at <= ${database.dialect.now}`;
  }

  /** Puts down what a run waits for. What this holder put down before stays as it is, with its decision. */
  async request(
    transaction: SqlExecutor,
    runId: string,
    turn: number,
    calls: readonly ToolStartedStep[],
    pending: readonly PendingApproval[],
  ): Promise<void> {
    const { dialect } = this.#database;
    const { rows } = await transaction.query(
      `SELECT fence, ${dialect.now} AS asked_at FROM ${this.#runs} WHERE id = ?`,
      [runId],
    );
    const place = {
      runId,
      turn,
      fence: numberOf(rows[0]?.['fence']),
      askedAt: numberOf(rows[0]?.['asked_at']),
    };
    const ordinals = new Map(calls.map(({ toolCallId, ordinal }) => [toolCallId, ordinal]));
    await insertRows(
      transaction,
      `${dialect.insertIgnore} ${this.#approvals}`,
      APPROVAL_COLUMNS,
      pending.map((request) => approvalRow(place, ordinals.get(request.toolCallId) ?? -1, request)),
      dialect.insertIgnoreSuffix,
    );
    for (const { reason, toolCallId } of pending) {
      if (reason === 'outcome_unknown')
        await this.#unstart(transaction, runId, turn, ordinals.get(toolCallId));
    }
    await this.#freeInTime(transaction, runId);
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
      if (!stored) throw await this.#refusal(transaction, runId, argumentsHash, decision.toolCallId);
      await this.#freeInTime(transaction, runId);
    });
  }

  /** Closes the questions of a run whose time is over. Gives true if it waits for others. */
  async stillWaits(transaction: SqlExecutor, runId: string): Promise<boolean> {
    const { now } = this.#database.dialect;
    const { rows } = await transaction.query(
      `SELECT id, fence, CASE WHEN ${this.#isLate} THEN 1 ELSE 0 END AS late FROM ${this.#approvals} ` +
        `WHERE run_id = ? AND status = 'pending'`,
      [runId],
    );
    const late = rows.filter((row) => numberOf(row['late']) === 1);
    // By their keys, so that nothing of other runs is locked.
    for (const row of late) {
      await transaction.query(
        `UPDATE ${this.#approvals} SET status = 'expired', decided_at = ${now} WHERE id = ? AND fence = ?`,
        [textOf(row['id']), numberOf(row['fence'])],
      );
    }
    if (late.length === rows.length) return false;
    await this.#freeInTime(transaction, runId);
    return true;
  }

  /** What people were asked about calls, by the id of the call, in the order they were asked. */
  async of(
    runId: string,
    calls: readonly ToolStartedStep[],
  ): Promise<ReadonlyMap<string, readonly RecordedApproval[]>> {
    const { rows } = await this.#database.query(
      `SELECT id, kind, arguments, arguments_hash, requested_at, expires_at, edited_arguments, reason, decided_by, ` +
        `CASE WHEN ${this.#isLate} THEN 'expired' ELSE status END AS state ` +
        `FROM ${this.#approvals} WHERE run_id = ? ORDER BY fence`,
      [runId],
    );
    if (rows.length === 0) return new Map();
    const of = (call: ToolStartedStep): readonly RecordedApproval[] => {
      const key = approvalKey(runId, call.toolCallId);
      return rows.filter((row) => textOf(row['id']) === key).map((row) => readApproval(call, row));
    };
    return new Map(calls.map((call) => [call.toolCallId, of(call)]));
  }

  async #store(
    transaction: SqlExecutor,
    key: string,
    argumentsHash: string,
    { decision, arguments: edited, reason, decidedBy }: ApprovalDecision,
  ): Promise<boolean> {
    const { now } = this.#database.dialect;
    const { affected } = await transaction.query(
      `UPDATE ${this.#approvals} SET status = ?, edited_arguments = ?, reason = ?, decided_by = ?, decided_at = ${now} ` +
        `WHERE id = ? AND status = 'pending' AND arguments_hash = ? AND (expires_at IS NULL OR expires_at > ${now})`,
      [
        decision === 'approve' ? 'approved' : 'rejected',
        edited === undefined ? null : JSON.stringify(edited),
        reason === undefined ? null : wellFormed(reason),
        decidedBy === undefined ? null : JSON.stringify(decidedBy),
        key,
        storageKey(argumentsHash),
      ],
    );
    return affected === 1;
  }

  /** Lets anybody take the run: at once if it waits for nobody any more, else when its first question expires. */
  async #freeInTime(transaction: SqlExecutor, runId: string): Promise<void> {
    await transaction.query(
      `UPDATE ${this.#runs} SET lease_until = (SELECT CASE WHEN COUNT(*) = 0 THEN ${this.#database.dialect.now} ` +
        `ELSE MIN(expires_at) END FROM ${this.#approvals} WHERE run_id = ? AND status = 'pending') WHERE id = ?`,
      [runId, runId],
    );
  }

  /** The call waits again: only an approval starts it once more. */
  async #unstart(
    transaction: SqlExecutor,
    runId: string,
    turn: number,
    ordinal: number | undefined,
  ): Promise<void> {
    await transaction.query(
      `UPDATE ${this.#database.table('agent_step')} SET status = 'waiting', updated_at = ? ` +
        `WHERE run_id = ? AND turn = ? AND step_key = ?`,
      [Date.now(), runId, turn, toolStepKey(ordinal ?? -1)],
    );
  }

  async #refusal(
    transaction: SqlExecutor,
    runId: string,
    argumentsHash: string,
    toolCallId: string,
  ): Promise<ApprovalException> {
    const { rows } = await transaction.query(
      `SELECT arguments_hash, CASE WHEN ${this.#isLate} THEN 'expired' ELSE status END AS state ` +
        `FROM ${this.#approvals} WHERE id = ? ORDER BY fence DESC LIMIT 1`,
      [approvalKey(runId, toolCallId)],
    );
    return ApprovalException.refused(refusalCode(rows[0], argumentsHash), runId, toolCallId);
  }
}

/** @param last what was asked last about the call */
function refusalCode(
  last: SqlRow | undefined,
  argumentsHash: string,
): Parameters<typeof ApprovalException.refused>[0] {
  if (!last) return 'approval_unknown';
  const state = textOf(last['state']);
  if (state === 'expired') return 'approval_expired';
  if (state !== 'pending') return 'approval_decided';
  return textOf(last['arguments_hash']) === argumentsHash ? 'run_not_suspended' : 'approval_changed';
}
