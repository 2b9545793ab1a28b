import { AgentException } from '../errors/agent.exception.js';
import type { ContentPart } from '../messages/content-part.js';
import type { LlmMessage, LlmRole } from '../messages/llm-message.js';
import type { ToolCall } from '../messages/tool-call.js';
import { wellFormed } from '../messages/well-formed.js';
import { toJsonSafe } from '../operators/json-safe.js';

const ROLES: readonly LlmRole[] = ['system', 'user', 'assistant', 'tool'];

/** What a run starts from, in its normal form. */
export interface AgentInput {
  readonly messages: readonly LlmMessage[];
}

export const AgentInput = Object.freeze({
  /**
   * Takes a string (a user message), one message, a list of strings and messages, or an `AgentInput`; any other value
   * that has a JSON form becomes a user message with it. Messages are checked field by field, so that they may come
   * from outside.
   * @throws AgentException `invalid_input` naming what does not fit.
   */
  from(value: unknown): AgentInput {
    if (isRecord(value) && Array.isArray(value.messages)) return AgentInput.from(value.messages);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.length === 0) throw invalid('an empty list');
    return { messages: list.map(toMessage) };
  },
});

function toMessage(value: unknown): LlmMessage {
  if (typeof value === 'string') return { role: 'user', content: wellFormed(value) };
  if (isRecord(value) && 'role' in value) return readMessage(value);
  const json = toJsonSafe(value);
  if (json === null) throw invalid(show(value));
  return { role: 'user', content: JSON.stringify(json) };
}

/** Only known fields are taken over. */
function readMessage(value: Record<string, unknown>): LlmMessage {
  const role = ROLES.find((known) => known === value.role);
  if (!role) throw invalid(`a message with role ${show(value.role)}`);
  const { content = null, parts, toolCalls, toolCallId, reasoning } = value;
  if (typeof content !== 'string' && content !== null)
    throw invalid(`a message with content ${show(content)}`);
  if (toolCallId !== undefined && typeof toolCallId !== 'string')
    throw invalid(`a toolCallId ${show(toolCallId)}`);
  if (reasoning !== undefined && typeof reasoning !== 'string')
    throw invalid(`a reasoning ${show(reasoning)}`);
  if (role === 'tool' && toolCallId === undefined) throw invalid('a tool message without toolCallId');
  return {
    role,
    content: content === null ? null : wellFormed(content),
    ...(parts !== undefined && { parts: readList('parts', parts, isContentPart) }),
    ...(toolCalls !== undefined && { toolCalls: readList('toolCalls', toolCalls, isToolCall) }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function readList<T>(field: string, value: unknown, fits: (item: unknown) => item is T): readonly T[] {
  if (!Array.isArray(value)) throw invalid(`a message with ${field} ${show(value)}`);
  return value.map((item: unknown) => {
    if (!fits(item)) throw invalid(`a message with ${show(item)} among its ${field}`);
    return item;
  });
}

function isContentPart(value: unknown): value is ContentPart {
  if (!isRecord(value)) return false;
  return value.type === 'text'
    ? typeof value.text === 'string'
    : value.type === 'image' && typeof value.url === 'string';
}

function isToolCall(value: unknown): value is ToolCall {
  return (
    isRecord(value) && [value.id, value.name, value.arguments].every((field) => typeof field === 'string')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const json = toJsonSafe(value);
  if (json === null && typeof value === 'object' && value !== null) return 'an object without a JSON form';
  const text = json === null ? String(value) : JSON.stringify(json);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function invalid(what: string): AgentException {
  return new AgentException(
    `The input of an agent must be a text, a message such as { role: 'user', content: 'Hello' }, or a list of them; got ${what}. ` +
      `Roles are ${ROLES.join(', ')}; content is a text or null; images go into parts.`,
    { code: 'invalid_input' },
  );
}
