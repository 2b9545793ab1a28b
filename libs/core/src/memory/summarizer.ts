import type { LlmMessage } from '../messages/llm-message.js';

/**
 * Condenses messages into a text that can stand for them. Given the previous summary, it extends it. Rejecting or
 * giving an empty text loses nothing: the window is used and the next turn tries again.
 */
export type Summarizer = (
  messages: readonly LlmMessage[],
  options: { readonly previous: string | undefined; readonly signal: AbortSignal },
) => Promise<string>;
