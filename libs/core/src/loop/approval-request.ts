import type { LinkedTool } from '../definition/linked-agent.js';
import type { PendingApproval } from '../definition/pending-approval.js';
import type { ToolCall } from '../messages/tool-call.js';
import { toJsonSafe } from '../operators/json-safe.js';
import { argumentsHash } from '../runs/arguments-hash.js';
import type { AgentRun } from './agent-run.js';

export interface ApprovalQuestion {
  readonly reason: PendingApproval['reason'];
  readonly arguments: unknown;
  /** How often people were asked about the call before: an old decision must not fit. */
  readonly asked: number;
}

/** What people are asked about a call. */
export function approvalRequest(
  run: AgentRun,
  { metadata: { approvalTimeout } }: LinkedTool,
  { id: toolCallId, name: toolName }: ToolCall,
  { reason, arguments: args, asked }: ApprovalQuestion,
): PendingApproval {
  const request = {
    toolCallId,
    toolName,
    reason,
    arguments: toJsonSafe(args),
    // Stores keep whole milliseconds.
    ...(approvalTimeout !== undefined && { timeoutMs: Math.ceil(approvalTimeout) }),
  };
  return { ...request, argumentsHash: argumentsHash(run.runId, request, asked) };
}
