import {
  wellFormed,
  type ApprovalDecision,
  type PendingApproval,
  type RecordedApproval,
  type ToolStartedStep,
} from '@nestor/core';
import { numberOf, textOf } from '../database/column-value.js';
import type { SqlRow, SqlValue } from '../database/sql-executor.js';
import { hashKey } from '../database/storage-key.js';

const LONGEST_NAME = 255;

export const APPROVAL_COLUMNS = [
  'id',
  'run_id',
  'turn',
  'ordinal',
  'fence',
  'kind',
  'call_id',
  'tool',
  'arguments',
  'arguments_hash',
  'status',
  'requested_at',
  'expires_at',
];

/** When and by which holder of a run people are asked. */
export interface ApprovalPlace {
  readonly runId: string;
  readonly turn: number;
  readonly fence: number;
  /** Epoch milliseconds of the database's clock. */
  readonly askedAt: number;
}

/** Not the id of the call itself, which a provider may have made of anything. */
export function approvalKey(runId: string, toolCallId: string): string {
  return hashKey(JSON.stringify([runId, toolCallId]));
}

export function approvalRow(
  { runId, turn, fence, askedAt }: ApprovalPlace,
  ordinal: number,
  request: PendingApproval,
): SqlValue[] {
  const { toolCallId, toolName, reason, timeoutMs } = request;
  return [
    approvalKey(runId, toolCallId),
    runId,
    turn,
    ordinal,
    fence,
    reason,
    wellFormed(toolCallId),
    wellFormed(toolName.slice(0, LONGEST_NAME)),
    JSON.stringify(request.arguments ?? null),
    request.argumentsHash,
    'pending',
    askedAt,
    timeoutMs === undefined ? null : askedAt + timeoutMs,
  ];
}

/** @param row with `state`, which is `expired` also where nobody has written that yet */
export function readApproval({ toolCallId, toolName }: ToolStartedStep, row: SqlRow): RecordedApproval {
  const expiresAt = row['expires_at'] === null ? undefined : numberOf(row['expires_at']);
  const request: PendingApproval = {
    toolCallId,
    toolName,
    // Written by this package alone.
    reason: textOf(row['kind']) as PendingApproval['reason'],
    arguments: parsed(row['arguments']),
    argumentsHash: textOf(row['arguments_hash']),
    ...(expiresAt !== undefined && { timeoutMs: expiresAt - numberOf(row['requested_at']), expiresAt }),
  };
  return { request, decision: readDecision(toolCallId, row) };
}

function readDecision(toolCallId: string, row: SqlRow): RecordedApproval['decision'] {
  const state = textOf(row['state']);
  if (state === 'pending') return undefined;
  if (state === 'expired') return 'expired';
  const { edited_arguments: edited, reason, decided_by: decidedBy } = row;
  const decision: ApprovalDecision = {
    toolCallId,
    decision: state === 'approved' ? 'approve' : 'reject',
    ...(typeof edited === 'string' && { arguments: parsed(edited) }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof decidedBy === 'string' && { decidedBy: parsed(decidedBy) }),
  };
  return decision;
}

function parsed(json: unknown): unknown {
  return JSON.parse(textOf(json) || 'null');
}
