import { SILENT_LOGGER, type AgentLogger } from '../listeners/agent-logger.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { FullMemory } from './full.memory.js';
import { HEURISTIC_TOKEN_ESTIMATOR } from './heuristic-token-estimator.js';
import { SlidingWindowMemory } from './sliding-window.memory.js';
import type { Summarizer } from './summarizer.js';
import { SummaryMemory } from './summary.memory.js';
import { TokenBudgetMemory } from './token-budget.memory.js';
import type { TokenEstimator } from './token-estimator.js';

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

/** The built-in memories, for use without an agent. Sizes below 1 throw a RangeError. */
export const ConversationMemory = Object.freeze({
  /** Shows everything. */
  full: (initial: readonly LlmMessage[]): ConversationMemory => new FullMemory(initial),
  /** Shows all system messages and the last `size` others. */
  slidingWindow: (initial: readonly LlmMessage[], size: number): ConversationMemory =>
    new SlidingWindowMemory(initial, size),
  /** Shows what fits into `maxTokens`. Default estimator: the heuristic one. */
  tokenBudget: (
    initial: readonly LlmMessage[],
    maxTokens: number,
    estimator: TokenEstimator = HEURISTIC_TOKEN_ESTIMATOR,
  ): ConversationMemory => new TokenBudgetMemory(initial, maxTokens, estimator),
  /** Shows the last `threshold` messages and a summary of what came before. Without a summarizer: the window alone. */
  summary: (
    initial: readonly LlmMessage[],
    summarizer: Summarizer | undefined,
    threshold: number,
    logger: AgentLogger = SILENT_LOGGER,
  ): ConversationMemory => new SummaryMemory(initial, threshold, { summarizer, logger }),
});
