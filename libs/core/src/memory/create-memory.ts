import { AgentException } from '../errors/agent.exception.js';
import type { AgentLogger } from '../listeners/agent-logger.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { AgentMemoryStrategy } from './agent-memory-strategy.js';
import type { ConversationMemory, ConversationMemoryFactory } from './conversation.memory.js';
import { FullMemory } from './full.memory.js';
import { HEURISTIC_TOKEN_ESTIMATOR } from './heuristic-token-estimator.js';
import { SlidingWindowMemory } from './sliding-window.memory.js';
import type { Summarizer } from './summarizer.js';
import { SummaryMemory } from './summary.memory.js';
import { TokenBudgetMemory } from './token-budget.memory.js';
import type { TokenEstimator } from './token-estimator.js';

/** What the strategies need from outside. */
export interface MemoryServices {
  /** Default: the heuristic one. */
  readonly estimator?: TokenEstimator | undefined;
  /** Without one `summary(n)` shows a window, with a warning. */
  readonly summarizer?: Summarizer | undefined;
  readonly logger: AgentLogger;
}

/**
 * The memory of one run.
 * @throws RangeError for a size below 1.
 * @throws AgentException `invalid_memory` if a custom factory gives no `ConversationMemory`.
 */
export function createMemory(
  strategy: AgentMemoryStrategy,
  initial: readonly LlmMessage[],
  services: MemoryServices,
): ConversationMemory {
  switch (strategy.kind) {
    case 'full':
      return new FullMemory(initial);
    case 'sliding_window':
      return new SlidingWindowMemory(initial, strategy.size);
    case 'token_budget':
      return new TokenBudgetMemory(
        initial,
        strategy.maxTokens,
        services.estimator ?? HEURISTIC_TOKEN_ESTIMATOR,
      );
    case 'summary':
      return new SummaryMemory(initial, strategy.keep, services);
    default:
      return customMemory(strategy.factory, initial);
  }
}

const METHODS = ['append', 'messages', 'view'] as const;

function customMemory(
  factory: ConversationMemoryFactory,
  initial: readonly LlmMessage[],
): ConversationMemory {
  const memory: Partial<ConversationMemory> | null | undefined = factory(initial);
  const missing = METHODS.filter((method) => typeof memory?.[method] !== 'function');
  if (missing.length === 0) return memory as ConversationMemory; // all three methods were found above
  throw new AgentException(
    `A custom memory factory gave ${memory === null ? 'null' : `a value of type ${typeof memory}`} without ` +
      `${missing.join(', ')}. It must give a ConversationMemory with append, messages and view.`,
    { code: 'invalid_memory' },
  );
}
