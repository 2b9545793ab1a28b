import { ContextBudgetException } from '../errors/context-budget.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { MessageGroups } from '../messages/message-groups.js';
import type { ConversationMemory, MemoryViewRequest } from './conversation.memory.js';
import { checkedMemorySize } from './memory-size.js';
import { fairShare, shortenToolResult, SHORTEST_RESULT_TOKENS } from './shortened-result.js';
import { TokenLedger } from './token-ledger.js';
import type { TokenEstimator } from './token-estimator.js';

/**
 * Shows as many of the newest groups as fit into `maxTokens` together with the system messages and what the request
 * reserves for tools. What was once left out stays out, so that consecutive requests begin alike and a provider's
 * prompt cache serves them. If the current turn alone is too large, its largest tool results are shortened.
 */
export class TokenBudgetMemory implements ConversationMemory {
  readonly #messages: LlmMessage[];
  /** What is shown; unlike `#messages` it holds the shortened tool results. */
  readonly #groups: MessageGroups;
  readonly #ledger: TokenLedger;
  readonly #maxTokens: number;

  /**
   * @param maxTokens of a whole request, tool definitions included, >= 1.
   * @throws RangeError for another number of tokens.
   */
  constructor(initial: readonly LlmMessage[], maxTokens: number, estimator: TokenEstimator) {
    this.#maxTokens = checkedMemorySize('A token budget', maxTokens);
    this.#messages = [...initial];
    this.#groups = new MessageGroups(initial);
    this.#ledger = new TokenLedger(this.#groups, estimator);
  }

  append(message: LlmMessage): void {
    this.#messages.push(message);
    this.#groups.append(message);
  }

  messages(): readonly LlmMessage[] {
    return this.#messages;
  }

  /** @throws ContextBudgetException if the system messages and the current turn do not fit even when shortened. */
  view({ reservedTokens }: MemoryViewRequest): readonly LlmMessage[] {
    const allowed = this.#maxTokens - reservedTokens;
    const first = this.#ledger.firstFitting(allowed);
    if (this.#ledger.tokens > allowed) this.#shortenTurn(allowed);
    if (this.#ledger.tokens > allowed) throw this.#doesNotFit(reservedTokens);
    return this.#groups.shownFrom(first);
  }

  #shortenTurn(allowed: number): void {
    const results = this.#resultsOfTurn();
    const sizes = results.map((index) => this.#ledger.tokensAt(index));
    const sum = sizes.reduce((total, size) => total + size, 0);
    const share = fairShare(sizes, sum - (this.#ledger.tokens - allowed));
    for (const index of results) this.#shortenAt(index, Math.max(share, SHORTEST_RESULT_TOKENS));
  }

  /** Cuts from the whole result, not from what an earlier request showed of it: one note tells of all that is missing. */
  #shortenAt(index: number, limit: number): void {
    const whole = this.#messages[index];
    const tokens = this.#ledger.tokensAt(index);
    if (!whole || tokens <= limit) return;
    const shortened = shortenToolResult(whole, limit, (message) => this.#ledger.estimate(message));
    if (this.#ledger.estimate(shortened) < tokens) this.#ledger.replace(index, shortened);
  }

  #resultsOfTurn(): readonly number[] {
    const indexes: number[] = [];
    for (let index = this.#groups.startOf(this.#groups.currentTurn); index < this.#messages.length; index++) {
      if (this.#messages[index]?.role === 'tool') indexes.push(index);
    }
    return indexes;
  }

  #doesNotFit(reservedTokens: number): ContextBudgetException {
    const { systemTokens, groupTokens } = this.#ledger;
    const use = { maxTokens: this.#maxTokens, reservedTokens, systemTokens, turnTokens: groupTokens };
    return new ContextBudgetException(use);
  }
}
