import { estimateTokenCount } from 'tokenx';
import type { LlmMessage } from '../messages/llm-message.js';
import type { TokenEstimator } from './token-estimator.js';

/** Role, separators and the like; what OpenAI documents for its chat models. */
const TOKENS_PER_MESSAGE = 4;
/** A 1024 x 1024 image at high detail on OpenAI's chat models; the real size is not known without loading it. */
const TOKENS_PER_IMAGE = 765;

/**
 * Estimates without a tokenizer's tables, for any model: close on prose and code, and linear in the length of the
 * text. Reasoning is not counted, since most providers do not take it back. A message is estimated once, also when
 * several runs show it.
 */
export class HeuristicTokenEstimator implements TokenEstimator {
  readonly #known = new WeakMap<LlmMessage, number>();

  estimate(message: LlmMessage): number {
    let tokens = this.#known.get(message);
    if (tokens === undefined) {
      tokens = this.#count(message);
      this.#known.set(message, tokens);
    }
    return tokens;
  }

  estimateText(text: string): number {
    return estimateTokenCount(text);
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

/** The estimator of `token_budget` where none is given; also counts what a request reserves for its tools. */
export const HEURISTIC_TOKEN_ESTIMATOR: TokenEstimator = new HeuristicTokenEstimator();
