import { randomUUID } from 'node:crypto';
import { wellFormed } from '../../messages/well-formed.js';
import type { ToolCall } from '../../messages/tool-call.js';
import { isJsonObject, textOf } from './json-object.js';

/** The name given to a call that has arguments but never got one, so that the model is told it is unknown. */
const NAMELESS = 'unknown';

interface Draft {
  id: string;
  name: string;
  arguments: string;
}

interface Fragment extends Readonly<Draft> {
  readonly index: number | undefined;
  /** The arguments came as a JSON object, so nothing can precede or follow them. */
  readonly whole: boolean;
}

/**
 * Joins the `tool_calls` fragments of one message into calls, in order of first appearance. An index is a label,
 * not a position: servers start at any number, leave gaps, use one again for the next call, or send none at all.
 */
export class ToolCallAssembler {
  readonly #drafts: Draft[] = [];
  readonly #byIndex = new Map<number, Draft>();
  readonly #byId = new Map<string, Draft>();

  /** Takes one entry of `tool_calls`, whatever it may be; true if it brought anything. */
  add(entry: unknown): boolean {
    const fragment = readFragment(entry);
    if (fragment === undefined) return false;
    const draft = this.#find(fragment) ?? this.#start(fragment);
    if (draft.id === '' && fragment.id !== '') {
      draft.id = fragment.id;
      this.#byId.set(draft.id, draft);
    }
    // Set once and not joined: servers that repeat the name with each fragment repeat the whole of it.
    if (draft.name === '') draft.name = fragment.name;
    draft.arguments = fragment.whole ? fragment.arguments : draft.arguments + fragment.arguments;
    return fragment.id !== '' || fragment.name !== '' || fragment.arguments !== '';
  }

  /** The calls as they stand, without entries that never got a name nor arguments. Ids are unique and never empty. */
  finish(): readonly ToolCall[] {
    const ids = new Set<string>();
    const calls: ToolCall[] = [];
    for (const draft of this.#drafts) {
      const text = unwrap(draft.arguments);
      if (draft.name === '' && text.trim() === '') continue;
      const sent = wellFormed(draft.id);
      const id = sent === '' || ids.has(sent) ? newCallId() : sent;
      ids.add(id);
      calls.push(
        Object.freeze({
          id,
          name: wellFormed(draft.name) || NAMELESS,
          arguments: wellFormed(text),
        }),
      );
    }
    return Object.freeze(calls);
  }

  #find(fragment: Fragment): Draft | undefined {
    const { index, id } = fragment;
    const known =
      index === undefined ? (this.#byId.get(id) ?? this.#drafts.at(-1)) : this.#byIndex.get(index);
    return known === undefined || startsAnother(fragment, known) ? undefined : known;
  }

  #start({ index }: Fragment): Draft {
    const draft: Draft = { id: '', name: '', arguments: '' };
    this.#drafts.push(draft);
    if (index !== undefined) this.#byIndex.set(index, draft);
    return draft;
  }
}

function readFragment(entry: unknown): Fragment | undefined {
  if (!isJsonObject(entry)) return undefined;
  const called = isJsonObject(entry.function) ? entry.function : {};
  const whole = typeof called.arguments === 'object' && called.arguments !== null;
  return {
    index: typeof entry.index === 'number' ? entry.index : undefined,
    id: textOf(entry.id),
    name: textOf(called.name),
    arguments: whole ? toJson(called.arguments) : textOf(called.arguments),
    whole,
  };
}

/** Whether a fragment that seems to go on with a call is the head of another one. */
function startsAnother(fragment: Fragment, known: Draft): boolean {
  if (fragment.id !== '' && known.id !== '' && fragment.id !== known.id) return true;
  if (fragment.name === '' || known.name === '') return false;
  const isSameId = fragment.id !== '' && fragment.id === known.id;
  if (fragment.index === undefined && !isSameId && fragment.name !== known.name) return true;
  return opensArguments(fragment.arguments) && closesArguments(known.arguments);
}

function opensArguments(text: string): boolean {
  const first = text.trimStart().charAt(0);
  return first === '{' || first === '"';
}

/** Judged by the ends alone: a name with a new beginning right behind an end is no continuation. */
function closesArguments(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('"') ? trimmed.length > 1 && trimmed.endsWith('"') : trimmed.endsWith('}');
}

/** Some servers encode the arguments twice: the string holds a JSON string that holds the object. */
function unwrap(text: string): string {
  if (!text.trimStart().startsWith('"')) return text;
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' && inner.trimStart().startsWith('{') ? inner : text;
  } catch {
    return text;
  }
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse reads nestings that JSON.stringify cannot write. No tool takes them: the model is to hear so.
    return '(arguments nested too deeply)';
  }
}

function newCallId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
