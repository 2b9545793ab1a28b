import type { ExitReason } from '../listeners/agent-execution.listener.js';
import type { LlmUsage } from '../llm/llm-usage.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { AgentCheckpoint } from './agent-checkpoint.js';
import type { PendingApproval } from './pending-approval.js';

/** What a run gives. */
export interface AgentOutput {
  /** Text of the last assistant message; empty if it only called tools. */
  readonly content: string;
  /** The provider's latest reason, unchanged. */
  readonly finishReason: string;
  /** Why the loop ended. */
  readonly exitReason: ExitReason;
  readonly turnsUsed: number;
  /** The whole conversation, the system prompt first. */
  readonly messages: readonly LlmMessage[];
  /** Results of the latest turn that had tools, by tool-call id. */
  readonly toolResults: Readonly<Record<string, unknown>>;
  readonly checkpoint: AgentCheckpoint;
  /** Sum over the run. */
  readonly usage: LlmUsage;
  readonly runId: string;
  /** The validated value when the agent has a `responseFormat`. */
  readonly value?: unknown;
  readonly pendingApprovals: readonly PendingApproval[];
  /** Set if the journal has lost events of the run by now. */
  readonly journal?: 'partial';
}
