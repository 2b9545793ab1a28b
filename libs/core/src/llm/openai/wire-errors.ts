import { parseExactJson } from '../../operators/exact-json.js';
import { LlmException } from '../../errors/llm.exception.js';
import { amendedException } from '../amended-exception.js';
import { retryAfterMs } from '../retry.js';
import { toProviderError } from './completion.js';
import type { BodyTooLargeError, Exchange } from './undici.transport.js';

/** Shorter keys occur by chance in other words; hiding those would garble messages. */
const SHORTEST_SECRET = 6;
const HIDDEN = '***';
const UNKNOWN_MODEL = /\bmodel\b.*\b(not found|does not exist|unknown|not available)\b/i;
const MASKED_WORD = /[\w.-]*\*{2,}(?:[\w.*-]*[\w*-])?/g;

/** What is read of an exchange that was answered. */
type Answered = Pick<Exchange, 'status' | 'headers' | 'contentType'>;

/** Makes typed errors of what goes wrong on the wire, and keeps secrets out of them. */
export class WireErrors {
  readonly #url: string;
  readonly #secrets: readonly string[];

  /** @param secrets what must never show up in an error, whatever the server echoes. */
  constructor(url: string, secrets: readonly string[]) {
    this.#url = url;
    this.#secrets = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  }

  /** The error of a response whose status is not 2xx. */
  ofStatus(exchange: Answered, text: string): LlmException {
    const { status, headers } = exchange;
    if (status >= 300 && status < 400) return this.#redirect(status, headers.location);
    // Hidden before it is cut to length, and again in what the JSON's escapes stood for.
    const words = this.#hide(isMarkup(text) ? '' : text);
    const error = toProviderError(parseJson(words) ?? words, status, retryAfterMs(headers));
    if (!error) return this.notACompletion(exchange, text);
    const told = headers['x-should-retry'];
    return this.redacted(
      amendedException(error, {
        message: status === 404 ? `${error.message}${this.#remedyOf404(error)}` : error.message,
        retryable: told === 'true' || (told !== 'false' && error.retryable),
      }),
    );
  }

  #remedyOf404({ message, providerCode }: LlmException): string {
    const stop = /[.!?]\s*$/.test(message) ? '' : '.';
    return providerCode === 'model_not_found' || UNKNOWN_MODEL.test(message)
      ? `${stop} Set llm.model (LLM_MODEL), or the agent's model, to one that ${this.#url} serves.`
      : `${stop} Is ${this.#url} the base URL of an OpenAI-compatible API?`;
  }

  /** The error of a connection that failed before the response, or in the middle of it. */
  ofNetwork(cause: unknown, exchange: Exchange, streamed: boolean): LlmException {
    const { status } = exchange;
    const kind = streamed && status > 0 ? 'incomplete_stream' : 'unavailable';
    const what = this.#networkFailure(exchange, networkReason(cause));
    return this.redacted(new LlmException(what, { kind, status: status || undefined, cause }));
  }

  #networkFailure({ status, connected }: Exchange, reason: string): string {
    if (status > 0) return `The connection to ${this.#url} was cut in the middle of the answer (${reason}).`;
    return connected
      ? `The connection to ${this.#url} was cut before an answer came (${reason}).`
      : `Cannot reach ${this.#url} (${reason}). Is the server running and the base URL (OPENAI_BASE_URL) right?`;
  }

  /** A 2xx answer that is none of chat completions, e.g. the web page of another program. */
  notACompletion({ status, contentType }: Answered, text: string): LlmException {
    const seen = contentType || 'no content type';
    return new LlmException(
      `${this.#url} answered ${status} with ${seen} instead of a chat completion` +
        `${excerpt(this.#hide(text))}: is this an OpenAI-compatible base URL?`,
      { kind: 'unavailable', status, retryable: false },
    );
  }

  tooLarge({ status }: Exchange, error: BodyTooLargeError): LlmException {
    return new LlmException(`${this.#url}: ${error.message} Raise maxResponseBytes if that is expected.`, {
      kind: 'invalid_request',
      status,
      retryable: false,
    });
  }

  /** The same error, or one without the secrets if its text holds any. */
  redacted(error: LlmException): LlmException {
    if (!this.#holdsSecret(error)) return error;
    return amendedException(error, {
      message: this.#hide(error.message),
      providerCode: error.providerCode && this.#hide(error.providerCode),
      providerType: error.providerType && this.#hide(error.providerType),
      cause: undefined,
    });
  }

  #redirect(status: number, location: string | undefined): LlmException {
    const target = location === undefined ? '' : ` to ${this.#hide(location.replace(/[?#].*/s, ''))}`;
    return new LlmException(
      `${this.#url} answered ${status}, a redirect${target}. Redirects are not followed: ` +
        `set the base URL (OPENAI_BASE_URL) to the final address.`,
      { kind: 'unavailable', status, retryable: false },
    );
  }

  #holdsSecret(error: Error): boolean {
    if (this.#secrets.length === 0) return false;
    const { cause } = error;
    const text = `${error.stack ?? ''} ${error.message} ${JSON.stringify(error)}`;
    return this.#hide(text) !== text || (cause instanceof Error && this.#holdsSecret(cause));
  }

  #hide(text: string): string {
    const hidden = this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
    // Some servers repeat a key with its middle masked: what they leave of it is not ours to show either.
    return hidden.replace(MASKED_WORD, (word) =>
      this.#secrets.some((secret) => isMaskedForm(word, secret)) ? HIDDEN : word,
    );
  }
}

function isMaskedForm(word: string, secret: string): boolean {
  const start = word.slice(0, word.indexOf('*'));
  const end = word.slice(word.lastIndexOf('*') + 1);
  return start.length + end.length >= 3 && secret.startsWith(start) && secret.endsWith(end);
}

function isMarkup(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** The first words of a text that is not HTML. */
function excerpt(text: string): string {
  const words = text.trim();
  if (words === '' || isMarkup(text)) return '';
  return ` ("${words.slice(0, 200)}${words.length > 200 ? '…' : ''}")`;
}

/** What a network error says; of several addresses that were tried, the first. */
function networkReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return networkReason(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

export function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
