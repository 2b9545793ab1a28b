import type { ConversationMemoryFactory } from './conversation.memory.js';

/** Which part of the conversation each request shows. The conversation itself always keeps everything. */
export type AgentMemoryStrategy =
  | { readonly kind: 'full' }
  | { readonly kind: 'sliding_window'; /** Non-system messages shown, >= 1. */ readonly size: number }
  | { readonly kind: 'token_budget'; /** Tokens of a whole request, >= 1. */ readonly maxTokens: number }
  | { readonly kind: 'summary'; /** Non-system messages shown verbatim, >= 1. */ readonly keep: number }
  | { readonly kind: 'custom'; readonly factory: ConversationMemoryFactory };

const FULL: AgentMemoryStrategy = Object.freeze({ kind: 'full' });

/** The five strategies. Sizes are checked when an agent is built. */
export const AgentMemoryStrategy = Object.freeze({
  /** Every message, every time. The default. */
  full: (): AgentMemoryStrategy => FULL,
  /** All system messages and the last `size` others, cut only between whole tool-call groups. */
  slidingWindow: (size: number): AgentMemoryStrategy => Object.freeze({ kind: 'sliding_window', size }),
  /** Drops the oldest groups until the request is estimated at no more than `maxTokens`. */
  tokenBudget: (maxTokens: number): AgentMemoryStrategy => Object.freeze({ kind: 'token_budget', maxTokens }),
  /** The last `keep` messages verbatim, a summary of what came before. */
  summary: (keep: number): AgentMemoryStrategy => Object.freeze({ kind: 'summary', keep }),
  /** A memory of your own. */
  custom: (factory: ConversationMemoryFactory): AgentMemoryStrategy =>
    Object.freeze({ kind: 'custom', factory }),
});
