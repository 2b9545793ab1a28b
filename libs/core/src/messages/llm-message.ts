import type { ContentPart } from './content-part.js';
import type { ToolCall } from './tool-call.js';

export type LlmRole = 'system' | 'user' | 'assistant' | 'tool';

/**
 * One message of a conversation. Messages are never changed once they are in a conversation: what is derived
 * from one (its JSON for the wire, its token count) is computed once and kept by identity.
 */
export interface LlmMessage {
  readonly role: LlmRole;
  /** The text; `null` where the message has none (an assistant message that only calls tools). */
  readonly content: string | null;
  /** Content parts of a user message; they win over `content` when there are any. */
  readonly parts?: readonly ContentPart[];
  /** The calls an assistant message asks for. */
  readonly toolCalls?: readonly ToolCall[];
  /** On a tool message: the id of the call it answers. */
  readonly toolCallId?: string;
  /** What a reasoning model thought; sent back only to providers that ask for it. */
  readonly reasoning?: string;
}
