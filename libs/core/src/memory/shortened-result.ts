import type { LlmMessage } from '../messages/llm-message.js';
import { resultText } from '../operators/result-text.js';

/** Room for the note and a little of the text, whatever the estimator says. */
const SHORTEST_CHARACTERS = 100;

/** Each attempt cuts at least a tenth, mostly far more. */
const ATTEMPTS = 8;

/** A result is not shortened below this: head, tail and the note of what was cut. */
export const SHORTEST_RESULT_TOKENS = 64;

/**
 * The size above which sizes must be cut so that their sum is at most `available`: what the small ones leave over
 * is shared evenly by the large ones. Infinity if none must be cut.
 */
export function fairShare(sizes: readonly number[], available: number): number {
  let rest = available;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = rest / (ascending.length - index);
    if (size > share) return Math.max(0, share);
    rest -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * A tool result cut to about `limit` tokens: its head and tail with a note between them. An estimator need not be
 * linear in the length, hence a few attempts; the last and shortest one is given even if it is still too large.
 */
export function shortenToolResult(
  whole: LlmMessage,
  limit: number,
  estimate: (message: LlmMessage) => number,
): LlmMessage {
  const text = whole.content ?? '';
  let shortened = whole;
  let characters = text.length;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const tokens = estimate(shortened);
    if (tokens <= limit) break;
    characters = Math.max(SHORTEST_CHARACTERS, Math.floor(characters * Math.min(0.9, limit / tokens)));
    shortened = Object.freeze({ ...whole, content: resultText(text, characters) });
  }
  return shortened;
}
