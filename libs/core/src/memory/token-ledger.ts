import { AgentException } from '../errors/agent.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { MessageGroups } from '../messages/message-groups.js';
import type { TokenEstimator } from './token-estimator.js';

/**
 * Which of the newest groups of a growing conversation fit into a number of tokens. Each message is estimated when
 * it is first considered and never again: of a long history only what is shown is estimated.
 */
export class TokenLedger {
  readonly #groups: MessageGroups;
  readonly #estimator: TokenEstimator;
  /** Tokens by message index; 0 for system messages and for what was never considered. */
  readonly #tokens: number[];
  /** The first group that is shown; undefined until asked for the first time. */
  #first: number | undefined;
  /** Index of the first message that is not yet considered. */
  #next = 0;
  #systemTokens = 0;
  #groupTokens = 0;

  constructor(groups: MessageGroups, estimator: TokenEstimator) {
    this.#groups = groups;
    this.#estimator = estimator;
    this.#tokens = groups.messages.map(() => 0);
  }

  /** Tokens of the system messages. */
  get systemTokens(): number {
    return this.#systemTokens;
  }

  /** Tokens of the groups that are shown. */
  get groupTokens(): number {
    return this.#groupTokens;
  }

  /** Tokens of all that is shown. */
  get tokens(): number {
    return this.#systemTokens + this.#groupTokens;
  }

  tokensAt(index: number): number {
    return this.#tokens[index] ?? 0;
  }

  /**
   * The first group to show so that system messages and groups take at most `allowed` tokens: the current turn if
   * not even that fits. Never an earlier one than at the last call.
   */
  firstFitting(allowed: number): number {
    let first = this.#first ?? this.#groups.currentTurn;
    this.#considerNew(this.#groups.startOf(first));
    if (this.#first === undefined) first = this.#extendBack(first, allowed);
    while (first < this.#groups.currentTurn && this.tokens > allowed) {
      this.#groupTokens -= this.#sumOf(first);
      first++;
    }
    this.#first = first;
    return first;
  }

  /** Shows another tool result in the place of one that is shown. */
  replace(index: number, message: LlmMessage): void {
    this.#groups.replace(index, message);
    this.#groupTokens -= this.tokensAt(index);
    this.#groupTokens += this.#consider(index, message);
  }

  /** @throws AgentException `token_estimator` if the estimator gives no number. */
  estimate(message: LlmMessage): number {
    const tokens = this.#estimator.estimate(message);
    if (tokens >= 0 && Number.isFinite(tokens)) return tokens;
    throw new AgentException(
      `The token estimator gave ${String(tokens)} for a message of role "${message.role}". ` +
        `A TokenEstimator must give a finite number >= 0.`,
      { code: 'token_estimator' },
    );
  }

  /** Considers what was appended since the last call; at the first call all system messages and all from `start` on. */
  #considerNew(start: number): void {
    const { messages } = this.#groups;
    for (; this.#next < messages.length; this.#next++) {
      const message = messages[this.#next];
      if (message?.role === 'system') this.#systemTokens += this.estimate(message);
      else if (message && this.#next >= start) this.#groupTokens += this.#consider(this.#next, message);
    }
  }

  #extendBack(from: number, allowed: number): number {
    let first = from;
    while (first > 0) {
      const tokens = this.#considerGroup(first - 1);
      if (this.tokens + tokens > allowed) break;
      this.#groupTokens += tokens;
      first--;
    }
    return first;
  }

  #considerGroup(group: number): number {
    let tokens = 0;
    for (let index = this.#groups.startOf(group); index < this.#groups.startOf(group + 1); index++) {
      const message = this.#groups.messages[index];
      if (message && message.role !== 'system') tokens += this.#consider(index, message);
    }
    return tokens;
  }

  #sumOf(group: number): number {
    let tokens = 0;
    for (let index = this.#groups.startOf(group); index < this.#groups.startOf(group + 1); index++) {
      tokens += this.tokensAt(index);
    }
    return tokens;
  }

  #consider(index: number, message: LlmMessage): number {
    const tokens = this.estimate(message);
    this.#tokens[index] = tokens;
    return tokens;
  }
}
