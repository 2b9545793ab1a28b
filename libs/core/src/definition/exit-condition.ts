import type { LlmMessage } from '../messages/llm-message.js';
import type { ToolCall } from '../messages/tool-call.js';

/** What an exit condition sees after each tool round. */
export interface ExitScope {
  /** Of the latest model answer. */
  readonly finishReason: string;
  /** Text of the latest model answer; empty if it had none. */
  readonly content: string;
  /** The 1-based turn that just ended. */
  readonly turn: number;
  readonly toolCalls: readonly ToolCall[];
  /** By tool name: one call gives its result, several calls of one tool a list in call order. */
  readonly toolResults: Readonly<Record<string, unknown>>;
  /** The whole conversation, the new tool messages included. */
  readonly messages: readonly LlmMessage[];
  /** True if this turn called the tool of that name. */
  toolCall(name: string): boolean;
}

/** Ends the loop after a tool round when it gives a truthy value. Must not wait. */
export type ExitCondition = (scope: ExitScope) => unknown;
