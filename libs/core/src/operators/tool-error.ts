import { wellFormed } from '../messages/well-formed.js';
import { cutText } from './cut-text.js';

/** Why a call failed, in the words the model and programs see. */
export type ToolErrorCode =
  | 'unknown_tool'
  | 'invalid_json'
  | 'invalid_arguments'
  | 'timeout'
  | 'denied'
  | 'not_approved'
  | 'failed'
  | 'outcome_unknown'
  | 'limit'
  | 'repeated_call'
  | 'not_run';

const MESSAGE_LIMIT = 2_000;
const UNREADABLE = 'Something was thrown that cannot be read.';
/** A line of a V8 stack trace, e.g. `    at Tool.run (file:///app/tool.js:3:9)`. */
const STACK_LINE = /^ {4}at .*(?:\)|:\d+:\d+)$\n?/gm;

/** A failed call as the model reads it: `{"error":{"code","message"}}`. */
export function toolErrorText(code: ToolErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message: wellFormed(message) } });
}

/**
 * What a thrown value has to say, whatever it is: an error's message or else its name, a string, an object as
 * JSON. Never empty, never a stack, at most 2,000 characters; never throws itself.
 */
export function thrownMessage(thrown: unknown): string {
  try {
    const text = wellFormed(describe(thrown).slice(0, 4 * MESSAGE_LIMIT))
      .replace(STACK_LINE, '')
      .trim();
    return cutText(text, MESSAGE_LIMIT) || UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

function describe(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown.trim() || 'An empty text was thrown.';
  if (typeof thrown !== 'object' || thrown === null)
    return `Failed without an error: ${String(thrown)} was thrown.`;
  const message = messageOf(thrown);
  if (message !== undefined || thrown instanceof Error)
    return message || messagesWithin(thrown) || nameOf(thrown);
  return `Failed without an error: ${JSON.stringify(thrown)} was thrown.`;
}

function messageOf(thrown: unknown): string | undefined {
  const hasMessage = typeof thrown === 'object' && thrown !== null && 'message' in thrown;
  return hasMessage && typeof thrown.message === 'string' ? thrown.message.trim() : undefined;
}

/** Node's own connect errors have no message: it stands in the errors of the single addresses. */
function messagesWithin(error: object): string {
  if (!('errors' in error) || !Array.isArray(error.errors)) return '';
  return error.errors.slice(0, 3).map(messageOf).filter(Boolean).join('; ');
}

function nameOf(error: object): string {
  return 'name' in error && typeof error.name === 'string' && error.name.trim() ? error.name : 'Error';
}
