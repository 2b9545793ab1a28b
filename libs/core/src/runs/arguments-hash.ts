import { createHash } from 'node:crypto';
import type { PendingApproval } from '../definition/pending-approval.js';
import { toJsonSafe } from '../operators/json-safe.js';

/**
 * What a decision is bound to: a hash (SHA-256, hex) of the run, the call and the question about it. The order of an
 * object's keys does not matter.
 * @param asked how often people were asked about the call before
 */
export function argumentsHash(
  runId: string,
  request: Omit<PendingApproval, 'argumentsHash'>,
  asked: number,
): string {
  const { toolCallId, toolName, reason } = request;
  return createHash('sha256')
    .update(
      JSON.stringify([runId, toolCallId, toolName, reason, asked, sorted(toJsonSafe(request.arguments))]),
    )
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}
