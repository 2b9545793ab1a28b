import { LlmException, type LlmErrorKind } from '../../errors/llm.exception.js';
import { wellFormed } from '../../messages/well-formed.js';
import { isJsonObject, textOf } from './json-object.js';

/** How much of the server's message is kept. */
const MESSAGE_CHARACTERS = 2_000;

/** Codes and types, in lower case, that leave no doubt whatever the status or the message say. */
const KINDS: ReadonlyMap<string, LlmErrorKind> = new Map<string, LlmErrorKind>([
  ['invalid_api_key', 'authentication'],
  ['authentication_error', 'authentication'],
  ['permission_error', 'authentication'],
  ['unauthenticated', 'authentication'],
  ['permission_denied', 'authentication'],
  ['rate_limit_exceeded', 'rate_limit'],
  ['rate_limit_error', 'rate_limit'],
  ['resource_exhausted', 'rate_limit'],
  ['throttlingexception', 'rate_limit'],
  ['insufficient_quota', 'rate_limit'],
  ['billing_hard_limit_reached', 'rate_limit'],
  ['billing_not_active', 'rate_limit'],
  ['context_length_exceeded', 'context_length'],
  ['exceed_context_size_error', 'context_length'],
  ['content_filter', 'content_filter'],
  ['content_policy_violation', 'content_filter'],
]);

/** Limits that no waiting lifts. */
const UNPAID: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
]);

/** Words for "your request is wrong", believed only when neither status nor message say something more exact. */
const INVALID: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'invalid_argument',
  'model_not_found',
  'not_found_error',
  'badrequesterror',
  'notfounderror',
]);

const PHRASES: readonly (readonly [string, LlmErrorKind])[] = [
  ['maximum context length', 'context_length'],
  ['context window', 'context_length'],
  ['context size', 'context_length'],
  ['too many tokens', 'context_length'],
  ['prompt is too long', 'context_length'],
  ['content management policy', 'content_filter'],
];

/** Client errors that pass by themselves. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425]);

const REMEDIES: Partial<Readonly<Record<LlmErrorKind, string>>> = {
  authentication: 'Check the API key and what it may use.',
  context_length: 'Shorten the conversation with a memory strategy, or use a model with a larger context.',
};

interface ServerError {
  readonly message: string;
  readonly code: string;
  readonly type: string;
  /** The HTTP status of the answer, or else the one the error object names. */
  readonly status: number | undefined;
}

interface HttpAnswer {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * The typed error for an error body, mid-stream or as the answer to a request; undefined if it is none.
 *
 * @param body the parsed JSON, or the text where it is no JSON.
 * @param status the HTTP status. With one of 400 and above the result is never undefined, whatever the body is.
 * @param retryAfterMs how long the server asked to wait.
 */
export function toProviderError(
  body: unknown,
  status?: number,
  retryAfterMs?: number,
): LlmException | undefined {
  const found = findError(body);
  if (found === undefined && !(status !== undefined && status >= 400)) return undefined;
  return toException(found ?? body, { status, retryAfterMs });
}

/** The typed error for the data of an SSE event that is named `error`: JSON of any shape, or text. */
export function toErrorEvent(data: unknown): LlmException {
  return toException(findError(data) ?? data, {});
}

/** The error a body holds. Bodies that are none, which is nearly all, are told at once. */
function findError(answer: unknown): unknown {
  // Gemini puts the error into a list.
  const body: unknown = Array.isArray(answer) ? answer[0] : answer;
  if (!isJsonObject(body)) return undefined;
  if (isError(body.error)) return body.error;
  if (body.object === 'error' || body.type === 'error') return body;
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  return isJsonObject(choice) && isError(choice.error) ? choice.error : undefined;
}

/** Some servers send an empty `error` beside a good answer. */
function isError(error: unknown): boolean {
  if (!error) return false;
  return typeof error === 'string' || (typeof error === 'object' && Object.keys(error).length > 0);
}

function toException(source: unknown, { status, retryAfterMs }: HttpAnswer): LlmException {
  const error = readError(source, status);
  const kind = classify(error);
  const unpaid = error.status === 402 || UNPAID.has(error.code) || UNPAID.has(error.type);
  return new LlmException(sentence(error, kind), {
    kind,
    status,
    retryAfterMs,
    providerCode: error.code || undefined,
    providerType: error.type || undefined,
    ...(unpaid && { retryable: false }),
  });
}

function readError(source: unknown, status: number | undefined): ServerError {
  const fields = isJsonObject(source) ? source : {};
  const code = typeof fields.code === 'number' ? String(fields.code) : textOf(fields.code);
  return {
    message: messageOf(source).trim(),
    code,
    type: textOf(fields.type) || textOf(fields.status),
    status: failureStatus(status) ?? failureStatus(fields.status) ?? failureStatus(Number(code)),
  };
}

function failureStatus(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 400 && value < 600 ? value : undefined;
}

function messageOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (!isJsonObject(source)) return '';
  const message = source.message ?? source.detail ?? source;
  if (typeof message === 'string') return message;
  try {
    return JSON.stringify(message);
  } catch {
    // Nested deeper than JSON.stringify goes.
    return '';
  }
}

function classify(error: ServerError): LlmErrorKind {
  const { status } = error;
  const known = KINDS.get(error.code.toLowerCase()) ?? KINDS.get(error.type.toLowerCase());
  if (known) return known;
  if (status === 401 || status === 403) return 'authentication';
  if (status === 402 || status === 429) return 'rate_limit';
  const words = error.message.toLowerCase();
  const told = PHRASES.find(([phrase]) => words.includes(phrase));
  if (told) return told[1];
  if (status !== undefined) return status >= 500 || PASSING.has(status) ? 'unavailable' : 'invalid_request';
  const invalid = INVALID.has(error.code.toLowerCase()) || INVALID.has(error.type.toLowerCase());
  return invalid ? 'invalid_request' : 'unavailable';
}

function sentence({ message, code, type, status }: ServerError, kind: LlmErrorKind): string {
  const marks = [status === undefined ? '' : `HTTP ${status}`, code === String(status) ? '' : code || type];
  const known = marks.filter((mark) => mark !== '').join(', ');
  const words = message.length > MESSAGE_CHARACTERS ? `${message.slice(0, MESSAGE_CHARACTERS)}…` : message;
  const told = wellFormed(words) || 'it gave no message.';
  const remedy = REMEDIES[kind];
  return `The model server answered with an error${known && ` (${known})`}: ${told}${remedy ? ` ${remedy}` : ''}`;
}
