import type { LlmMessage } from '../messages/llm-message.js';
import type { ConversationMemory } from './conversation.memory.js';

/** Shows everything. `messages()` and `view()` give the very same array each time. */
export class FullMemory implements ConversationMemory {
  readonly #messages: LlmMessage[];

  constructor(initial: readonly LlmMessage[]) {
    this.#messages = [...initial];
  }

  append(message: LlmMessage): void {
    this.#messages.push(message);
  }

  messages(): readonly LlmMessage[] {
    return this.#messages;
  }

  view(): readonly LlmMessage[] {
    return this.#messages;
  }
}
