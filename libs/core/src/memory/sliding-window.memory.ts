import type { LlmMessage } from '../messages/llm-message.js';
import { MessageGroups } from '../messages/message-groups.js';
import type { ConversationMemory } from './conversation.memory.js';
import { checkedMemorySize } from './memory-size.js';

/**
 * Shows all system messages and the last `size` others. A tool-call group that the window would cut is left out
 * whole; the current turn is shown whole, also where it is larger than the window.
 */
export class SlidingWindowMemory implements ConversationMemory {
  readonly #groups: MessageGroups;
  readonly #size: number;
  #first = 0;

  /**
   * @param size other than system messages shown, >= 1.
   * @throws RangeError for another size.
   */
  constructor(initial: readonly LlmMessage[], size: number) {
    this.#size = checkedMemorySize('The size of a sliding window', size);
    this.#groups = new MessageGroups(initial);
  }

  append(message: LlmMessage): void {
    this.#groups.append(message);
  }

  messages(): readonly LlmMessage[] {
    return this.#groups.messages;
  }

  view(): readonly LlmMessage[] {
    this.#first = this.#groups.windowStart(this.#size, this.#first);
    return this.#groups.shownFrom(this.#first);
  }
}
