import { wellFormed } from '../messages/well-formed.js';
import { parseExactJson } from './exact-json.js';
import { jsonErrorPosition } from './json-error-position.js';

export type ParsedArguments =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | {
      readonly ok: false;
      readonly code: 'invalid_json' | 'invalid_arguments' | 'limit';
      readonly message: string;
    };

/** Longest text of arguments, in bytes of UTF-8. */
const BYTES_LIMIT = 1024 * 1024;
/** Deepest nesting of objects and arrays. */
const DEPTH_LIMIT = 64;
const EXCERPT_LENGTH = 20;

/**
 * Makes an object of the arguments text a model sent. Never throws.
 *
 * Empty, blank and `null` are `{}`. An object that was encoded twice is decoded twice. The keys `__proto__`,
 * `constructor` and `prototype` are dropped at any depth. Integers beyond 2^53 become strings of their digits.
 * Texts over 1 MiB and nesting over 64 levels are refused (`limit`).
 */
export function parseToolArguments(text: string): ParsedArguments {
  if (exceedsBytesLimit(text)) return refused('limit', 'The arguments are longer than 1 MiB. Send less.');
  let json = text;
  let value = decode(json);
  if (value === INVALID) return refused('invalid_json', invalidJsonMessage(text));
  if (typeof value === 'string') {
    json = value;
    value = decode(json);
    if (value === INVALID) value = json;
  }
  if (value === null) return { ok: true, value: {} };
  if (!isObject(value)) {
    return refused('invalid_arguments', `The arguments must be a JSON object, not ${nameOfType(value)}.`);
  }
  return cleaned(value, json);
}

const INVALID = Symbol('invalid');

function decode(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json.trim() === '' ? null : INVALID;
  }
}

function cleaned(value: Record<string, unknown>, json: string): ParsedArguments {
  const found = inspect(value, 1);
  if (found === 0) return { ok: true, value };
  if (found & TOO_DEEP) {
    return refused(
      'limit',
      `The arguments are nested deeper than ${DEPTH_LIMIT} levels. Send a flatter object.`,
    );
  }
  const exact = found & UNSAFE_NUMBER ? (parseExactJson(json) as Record<string, unknown>) : value;
  if (found & FORBIDDEN_KEY) dropForbiddenKeys(exact);
  return { ok: true, value: exact };
}

const TOO_DEEP = 1;
const FORBIDDEN_KEY = 2;
const UNSAFE_NUMBER = 4;

/** What is wrong with a decoded value, as bits. One walk costs a tenth of the decoding. */
function inspect(value: unknown, depth: number): number {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? UNSAFE_NUMBER : 0;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_LIMIT) return TOO_DEEP;
  let found = 0;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) found |= inspect(value[index], depth + 1);
    return found;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const key in record) {
    if (isForbidden(key)) found |= FORBIDDEN_KEY;
    found |= inspect(record[key], depth + 1);
  }
  return found;
}

function isForbidden(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

function dropForbiddenKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (isForbidden(key) && !Array.isArray(value)) Reflect.deleteProperty(value, key);
    else dropForbiddenKeys(part);
  }
}

/** Counts bytes only where they could be too many: one UTF-16 unit is at most three bytes. */
function exceedsBytesLimit(text: string): boolean {
  return text.length > BYTES_LIMIT / 3 && Buffer.byteLength(text) > BYTES_LIMIT;
}

function invalidJsonMessage(text: string): string {
  const position = jsonErrorPosition(text);
  const found = position < text.length ? `unexpected ${JSON.stringify(text[position])}` : 'unexpected end';
  const excerpt = wellFormed(text.slice(Math.max(0, position - EXCERPT_LENGTH), position + EXCERPT_LENGTH));
  return `The arguments are not valid JSON: ${found} at position ${position}, near ${excerpt}. Send one JSON object.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOfType(value: unknown): string {
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function refused(code: 'invalid_json' | 'invalid_arguments' | 'limit', message: string): ParsedArguments {
  return { ok: false, code, message };
}
