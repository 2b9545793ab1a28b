import type { ContentPart } from './content-part.js';
import type { LlmMessage } from './llm-message.js';
import { sanitizeToolName, TOOL_NAME } from './tool-name.js';
import type { ToolCall } from './tool-call.js';

/** Stands for a text where a provider wants one and there is none. */
export const EMPTY_TEXT = '(empty)';

/** Messages never change, so what was found out about one holds for good. */
const soundCallers = new WeakSet<LlmMessage>();
const repaired = new WeakMap<LlmMessage, LlmMessage>();

/**
 * Whether a message, taken by itself, can be sent as it is. Histories come from stores and clients, so nothing that
 * the types promise is relied upon. Asked for every message of every request: it allocates nothing, and the
 * arguments of a call are parsed the first time only.
 */
export function isSound(message: LlmMessage): boolean {
  switch (message?.role) {
    case 'system':
    case 'tool':
      return hasText(message.content);
    case 'user':
      return isSoundUser(message);
    case 'assistant':
      return message.toolCalls?.length ? isSoundCaller(message) : hasText(message.content);
    default:
      return false;
  }
}

/**
 * The message as every provider accepts it: the very same one if it is sound, always the same other one if it is
 * not. Undefined if nothing of it is worth sending: no text, no calls, or a role that does not exist.
 */
export function repairMessage(message: LlmMessage): LlmMessage | undefined {
  if (isSound(message)) return message;
  const known = repaired.get(message);
  if (known) return known;
  const made = repairByRole(message);
  if (made) repaired.set(message, Object.freeze(made));
  return made;
}

function repairByRole(message: LlmMessage): LlmMessage | undefined {
  switch (message?.role) {
    case 'system':
      return withText(message);
    case 'tool':
      return withText(message) ?? { ...message, content: EMPTY_TEXT };
    case 'user':
      return repairUser(message);
    case 'assistant':
      return repairAssistant(message);
    default:
      return undefined;
  }
}

function repairUser(message: LlmMessage): LlmMessage {
  const { parts: all, ...rest } = message;
  const parts = Array.isArray(all) ? all.filter(isSoundPart) : [];
  if (parts.length > 0) return { ...message, parts };
  return withText(rest) ?? { ...rest, content: EMPTY_TEXT };
}

function repairAssistant(message: LlmMessage): LlmMessage | undefined {
  const { toolCalls, ...rest } = message;
  const calls = repairCalls(toolCalls);
  if (calls.length === 0) return withText(rest);
  return { ...(withText(rest) ?? { ...rest, content: null }), toolCalls: calls };
}

/** A call without an id can never be answered, and of two with one id only one can be. */
function repairCalls(calls: unknown): readonly ToolCall[] {
  const byId = new Map<string, ToolCall>();
  for (const call of Array.isArray(calls) ? (calls as readonly (Partial<ToolCall> | null)[]) : []) {
    if (!isText(call?.id) || byId.has(call.id)) continue;
    const name = sanitizeToolName(isText(call.name) ? call.name : '');
    byId.set(call.id, Object.freeze({ id: call.id, name, arguments: repairArguments(call.arguments) }));
  }
  return Object.freeze([...byId.values()]);
}

function repairArguments(text: unknown): string {
  if (typeof text !== 'string') return '{}';
  const value = parsed(text);
  if (isObject(value)) return text;
  // Some models encode the object twice; the tool was run with what is inside.
  return typeof value === 'string' && isObject(parsed(value)) ? value : '{}';
}

function isSoundUser({ content, parts }: LlmMessage): boolean {
  if (parts === undefined) return hasText(content);
  if (!Array.isArray(parts)) return false;
  return parts.length === 0 ? hasText(content) : parts.every(isSoundPart);
}

function isSoundCaller(message: LlmMessage): boolean {
  if (soundCallers.has(message)) return true;
  const sound = (message.content === null || hasText(message.content)) && haveSoundCalls(message.toolCalls);
  if (sound) soundCallers.add(message);
  return sound;
}

function haveSoundCalls(calls: unknown): boolean {
  if (!Array.isArray(calls)) return false;
  const ids = new Set(calls.map((call: Partial<ToolCall> | null) => call?.id));
  return ids.size === calls.length && calls.every(isSoundCall);
}

function isSoundCall(call: Partial<ToolCall> | null): boolean {
  return (
    isText(call?.id) &&
    isText(call.name) &&
    TOOL_NAME.test(call.name) &&
    isText(call.arguments) &&
    isObject(parsed(call.arguments))
  );
}

function isSoundPart(part: ContentPart): boolean {
  if (part?.type === 'text') return hasText(part.text);
  return part?.type === 'image' && isText(part.url);
}

/** The message with the text of its content, which foreign code may have given as a list of blocks. */
function withText(message: LlmMessage): LlmMessage | undefined {
  const { content }: { readonly content: unknown } = message;
  if (hasText(content)) return message;
  const text = Array.isArray(content) ? content.map(textOfBlock).join('') : '';
  return hasText(text) ? { ...message, content: text } : undefined;
}

function textOfBlock(block: unknown): string {
  if (typeof block === 'string') return block;
  const hasOne = isObject(block) && 'text' in block && typeof block.text === 'string';
  return hasOne ? String(block.text) : '';
}

function hasText(content: unknown): content is string {
  if (typeof content !== 'string') return false;
  const first = content.charCodeAt(0);
  // Nearly every text begins with a printable ASCII character, which spares the trimming.
  return (first > 0x20 && first < 0x7f) || content.trim() !== '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
