import type { LlmMessage } from '../messages/llm-message.js';

/**
 * The conversation inside one run. It keeps every message; a strategy only chooses what the next request shows.
 * Implement it for a strategy of your own and hand it in with `AgentMemoryStrategy.custom(factory)`.
 *
 * What `view` gives must be a valid request: all system messages, no tool result without the assistant message
 * that asked for it, no such message without all its results, and everything since the last user message.
 */
export interface ConversationMemory {
  /** Appends one message. Costs O(1) amortised. */
  append(message: LlmMessage): void;
  /** All messages ever appended, the initial ones included. The same array may be given each time; do not change it. */
  messages(): readonly LlmMessage[];
  /** What the next request shows. May ask a model (summaries), hence the promise and the signal. */
  view(request: MemoryViewRequest): readonly LlmMessage[] | Promise<readonly LlmMessage[]>;
}

export interface MemoryViewRequest {
  /** Tokens that the request needs beside the messages: tool definitions and the answer's format. Counted once per run. */
  readonly reservedTokens: number;
  readonly signal: AbortSignal;
}

/** Creates the memory of a run from the messages it starts with (system prompt first). */
export type ConversationMemoryFactory = (initial: readonly LlmMessage[]) => ConversationMemory;
