import type { LlmMessage } from '../messages/llm-message.js';
import type { TokenEstimator } from './token-estimator.js';

/** Role, separators and the like; what OpenAI documents for its chat models. */
const TOKENS_PER_MESSAGE = 4;
/** A 1024 x 1024 image at high detail on OpenAI's chat models; the real size is not known without loading it. */
const TOKENS_PER_IMAGE = 765;

/**
 * Counts messages by a function that counts text. Reasoning is not counted, since most providers do not take it back.
 * A message is counted once, also when several runs show it.
 */
export class MessageTokenEstimator implements TokenEstimator {
  readonly #known = new WeakMap<LlmMessage, number>();
  readonly #countText: (text: string) => number;

  constructor(countText: (text: string) => number) {
    this.#countText = countText;
  }

  estimate(message: LlmMessage): number {
    let tokens = this.#known.get(message);
    if (tokens === undefined) {
      tokens = this.#count(message);
      this.#known.set(message, tokens);
    }
    return tokens;
  }

  estimateText(text: string): number {
    return this.#countText(text);
  }

  #count(message: LlmMessage): number {
    let tokens =
      TOKENS_PER_MESSAGE + this.#countContent(message) + this.estimateText(message.toolCallId ?? '');
    for (const call of message.toolCalls ?? []) {
      tokens += this.estimateText(call.id) + this.estimateText(call.name) + this.estimateText(call.arguments);
    }
    return tokens;
  }

  #countContent({ content, parts }: LlmMessage): number {
    if (!parts?.length) return this.estimateText(content ?? '');
    let tokens = 0;
    for (const part of parts)
      tokens += part.type === 'text' ? this.estimateText(part.text) : TOKENS_PER_IMAGE;
    return tokens;
  }
}
