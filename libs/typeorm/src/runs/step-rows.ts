import { wellFormed, type AnswerStep, type ToolResultStep, type ToolStartedStep } from '@nestor/core';
import type { SqlValue } from '../database/sql-executor.js';

const LONGEST_NAME = 255;

export const STEP_COLUMNS = [
  'run_id',
  'turn',
  'step_key',
  'ordinal',
  'kind',
  'tool',
  'call_id',
  'status',
  'idempotency_key',
  'arguments_hash',
  'fence',
  'payload',
  'created_at',
  'updated_at',
];

/** The key of a call's row within its turn. */
export function toolStepKey(ordinal: number): string {
  return `tool:${ordinal}`;
}

/**
 * The rows of an answer and of its calls. The answer's payload is the whole step, so that a run can be rebuilt from
 * it; the columns beside it are for people and for searches.
 */
export function stepRows(runId: string, fence: number, step: AnswerStep): readonly (readonly SqlValue[])[] {
  const now = Date.now();
  const row = (
    key: string,
    ordinal: number,
    rest: readonly SqlValue[],
    payload: string | null,
  ): SqlValue[] => [runId, step.turn, key, ordinal, ...rest, fence, payload, now, now];
  const answer = row('answer', -1, ['answer', null, null, 'done', null, null], JSON.stringify(step));
  return [
    answer,
    ...step.calls.map((call) => row(toolStepKey(call.ordinal), call.ordinal, callColumns(call), null)),
  ];
}

function callColumns({ toolName, toolCallId, idempotencyKey, approval }: ToolStartedStep): SqlValue[] {
  return [
    'tool',
    wellFormed(toolName.slice(0, LONGEST_NAME)),
    wellFormed(toolCallId),
    approval ? 'waiting' : 'started',
    idempotencyKey,
    approval?.argumentsHash ?? null,
  ];
}

/** `done`, `failed`, `unknown` or `denied`. */
export function resultStatus({ success, result }: ToolResultStep): string {
  if (success) return 'done';
  const code = errorCode(result);
  if (code === 'outcome_unknown') return 'unknown';
  return code === 'denied' || code === 'not_approved' ? 'denied' : 'failed';
}

function errorCode(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('error' in result)) return undefined;
  const { error } = result;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
