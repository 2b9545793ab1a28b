import { AgentException } from './agent.exception.js';

/** What a request would have needed, in estimated tokens. */
export interface ContextBudgetUse {
  readonly maxTokens: number;
  /** Tool definitions and the answer's format. */
  readonly reservedTokens: number;
  readonly systemTokens: number;
  /** Everything since the last user message, its tool results shortened as far as they may be. */
  readonly turnTokens: number;
}

/** Thrown when what a request cannot do without is larger than the agent's token budget. */
export class ContextBudgetException extends AgentException {
  readonly use: ContextBudgetUse;

  constructor(use: ContextBudgetUse) {
    const needed = use.reservedTokens + use.systemTokens + use.turnTokens;
    super(
      `The request needs about ${needed} tokens and token_budget allows ${use.maxTokens}: ` +
        `${use.reservedTokens} for tool definitions and the answer's format, ${use.systemTokens} for system messages, ` +
        `${use.turnTokens} for the current turn with its tool results shortened. ` +
        `Raise token_budget to at least ${needed}, offer fewer tools, or shorten the system prompt or the input.`,
      { code: 'context_budget' },
    );
    this.use = use;
  }
}
