import type { LlmMessage } from '../messages/llm-message.js';
import type { LlmUsage } from './llm-usage.js';
import type { ResponseFormat } from './response-format.js';
import type { ToolDefinition } from './tool-definition.js';

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

/** One question to a model. */
export interface LlmRequest {
  /** The model's id, passed to the provider verbatim. */
  readonly model: string;
  readonly messages: readonly LlmMessage[];
  /** Default: no tools. The same array in later turns lets a provider reuse what it made of it. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Default: the provider's, `auto` when there are tools. */
  readonly toolChoice?: ToolChoice | undefined;
  /** Default: the provider's. */
  readonly temperature?: number | undefined;
  /** Cap of the answer in tokens. Default: the provider's. */
  readonly maxTokens?: number | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  /** Aborts the call and every retry of it. */
  readonly signal?: AbortSignal | undefined;
}

/** One answer of a model. */
export interface LlmResponse {
  /** The assistant message; its tool calls have ids that are unique within the message. */
  readonly message: LlmMessage;
  /** The provider's own word, unchanged: `stop`, `tool_calls`, `length`, `content_filter` or another. */
  readonly finishReason: string;
  /** Absent where the provider does not tell. */
  readonly usage?: LlmUsage | undefined;
}

/** A piece of a streamed answer. Exactly one `finish` ends a stream; nothing comes after it. */
export type LlmStreamChunk =
  | { readonly type: 'token'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'finish'; readonly response: LlmResponse };

/**
 * Access to a chat model. Both methods throw `LlmException` for what the provider refuses or fails at, and the
 * signal's reason when the request's signal aborts. Ending the iteration of a stream early cancels the call.
 */
export interface LlmProvider {
  /** For people: what start-up and health say, e.g. `openai (http://127.0.0.1:4010/v1)`. Never holds a key. */
  readonly description: string;
  chat(request: LlmRequest): Promise<LlmResponse>;
  streamChat(request: LlmRequest): AsyncIterable<LlmStreamChunk>;
  /** Releases sockets. Optional. */
  close?(): Promise<void>;
}
