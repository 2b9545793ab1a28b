import type { AgentLogger } from '../listeners/agent-logger.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { MessageGroups } from '../messages/message-groups.js';
import { wellFormed } from '../messages/well-formed.js';
import { thrownMessage } from '../operators/tool-error.js';
import type { ConversationMemory, MemoryViewRequest } from './conversation.memory.js';
import { checkedMemorySize } from './memory-size.js';
import type { Summarizer } from './summarizer.js';
import { requestSummary } from './summary-request.js';

export interface SummaryMemoryOptions {
  /** Without one the memory is a sliding window, and says so once. */
  readonly summarizer?: Summarizer | undefined;
  readonly logger: AgentLogger;
  /** How long one summary may take, in ms, > 0. Default 60,000. */
  readonly timeoutMs?: number;
}

/**
 * Shows the last `keep` other than system messages, groups and the current turn whole, and a summary of what came
 * before as one system message after the leading ones.
 *
 * The summary is made when the first message falls out of the window. It is extended once `keep / 2` further ones
 * (at least one) have fallen out, which are shown verbatim until then: a summary costs a model call. When it fails,
 * this request shows the window and the last good summary, and the next one tries again.
 */
export class SummaryMemory implements ConversationMemory {
  readonly #groups: MessageGroups;
  readonly #keep: number;
  readonly #options: SummaryMemoryOptions;
  /** The first group that the window shows. */
  #windowStart = 0;
  /** The groups before this one are in the summary. */
  #summarised = 0;
  #text: string | undefined;
  #summary: LlmMessage | undefined;
  #warned = false;

  /**
   * @param keep other than system messages shown verbatim, >= 1.
   * @throws RangeError for another size.
   */
  constructor(initial: readonly LlmMessage[], keep: number, options: SummaryMemoryOptions) {
    this.#keep = checkedMemorySize('The number of messages that a summary keeps', keep);
    this.#groups = new MessageGroups(initial);
    this.#options = options;
  }

  append(message: LlmMessage): void {
    this.#groups.append(message);
  }

  messages(): readonly LlmMessage[] {
    return this.#groups.messages;
  }

  /** Rejects with the signal's reason if it aborts; a summary that fails for any other reason rejects nothing. */
  view({ signal }: MemoryViewRequest): readonly LlmMessage[] | Promise<readonly LlmMessage[]> {
    this.#windowStart = this.#groups.windowStart(this.#keep, this.#windowStart);
    const fallenOut = this.#groups.countBetween(this.#summarised, this.#windowStart);
    if (fallenOut < this.#threshold()) return this.#groups.shownFrom(this.#summarised, this.#summary);
    const { summarizer } = this.#options;
    return summarizer ? this.#summarise(summarizer, signal) : this.#degrade();
  }

  #threshold(): number {
    return this.#summary ? Math.max(1, Math.floor(this.#keep / 2)) : 1;
  }

  async #summarise(summarizer: Summarizer, signal: AbortSignal): Promise<readonly LlmMessage[]> {
    const windowStart = this.#windowStart;
    const messages = this.#groups.between(this.#summarised, windowStart);
    try {
      const options = { previous: this.#text, signal, timeoutMs: this.#options.timeoutMs ?? 60_000 };
      const text = wellFormed(await requestSummary(summarizer, messages, options));
      this.#text = text;
      this.#summary = summaryMessage(text);
      this.#summarised = windowStart;
    } catch (error) {
      signal.throwIfAborted();
      this.#options.logger.warn(
        `Summarising ${messages.length} messages failed (${thrownMessage(error)}). ` +
          `This request shows the last ${this.#keep} messages; the next one tries again.`,
      );
    }
    return this.#groups.shownFrom(windowStart, this.#summary);
  }

  #degrade(): readonly LlmMessage[] {
    if (!this.#warned) {
      this.#warned = true;
      this.#options.logger.warn(
        `summary(${this.#keep}) has no summarizer: only the last ${this.#keep} messages are shown. ` +
          `Give a summarizer, or use sliding_window(${this.#keep}).`,
      );
    }
    return this.#groups.shownFrom(this.#windowStart);
  }
}

function summaryMessage(text: string): LlmMessage {
  return Object.freeze({ role: 'system', content: `Summary of the conversation so far:\n${text}` });
}
