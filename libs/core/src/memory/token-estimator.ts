import type { LlmMessage } from '../messages/llm-message.js';

/** Estimates tokens. Called once per message and once per run for the tool definitions. */
export interface TokenEstimator {
  /** Tokens of a message as the model will see it: content, parts, tool calls with their arguments, and the overhead per message. */
  estimate(message: LlmMessage): number;
  /** Tokens of any text, e.g. serialised tool definitions. */
  estimateText(text: string): number;
}
