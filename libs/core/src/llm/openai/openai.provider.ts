import { AgentException } from '../../errors/agent.exception.js';
import type { LlmProvider, LlmRequest, LlmResponse, LlmStreamChunk } from '../llm.provider.js';
import { llmTimeouts, type LlmTimeouts } from '../llm-timeouts.js';
import { retryPolicy, withRetry, type RetryPolicy } from '../retry.js';
import { parseBaseUrl, type BaseUrl } from './base-url.js';
import { ChatConnection } from './chat.connection.js';
import { ChatStream } from './chat.stream.js';
import { providerProfile, type ProviderProfile } from './provider-profile.js';
import { requirePackage } from './require-package.js';
import { WireRequests } from './wire-request.js';

export interface OpenAiProviderOptions {
  /** Any OpenAI-compatible server, with or without `/v1`. Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string | undefined;
  /** Not needed for a local server, or if `headers` authorise. The environment is not read. */
  readonly apiKey?: string | undefined;
  /** Sent with each request, e.g. for a gateway. Treated as secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the server does otherwise. Default: by its host. */
  readonly profile?: Partial<ProviderProfile> | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly timeouts?: Partial<LlmTimeouts> | undefined;
  /** Longest answer that is read as a whole, in bytes; a stream may have eight times as many. Default 32 MiB. */
  readonly maxResponseBytes?: number | undefined;
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const AUTHORISING = new Set(['authorization', 'api-key', 'x-api-key']);

/** Chat completions by the `openai` package, of OpenAI or of any server that speaks the same. */
export class OpenAiProvider implements LlmProvider {
  readonly description: string;
  readonly #connection: ChatConnection;
  readonly #requests: WireRequests;
  readonly #retry: RetryPolicy;

  /**
   * @throws AgentException (`missing_api_key`) if a remote server is to be called without a key,
   *   (`invalid_api_key`) if no header can carry the key or one of `headers`,
   *   (`missing_package`) if `openai` is not installed.
   * @throws TypeError or RangeError for a bad base URL, time-out or retry policy.
   */
  constructor(options: OpenAiProviderOptions = {}) {
    const { apiKey, headers = {}, maxResponseBytes = DEFAULT_MAX_BYTES } = options;
    const baseUrl = parseBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL);
    requireKey(baseUrl, apiKey, headers);
    requireSendable(apiKey, headers);
    requirePackage('openai', 'OpenAiProvider');
    this.description = `openai (${baseUrl.display})`;
    this.#retry = retryPolicy(options.retry);
    this.#requests = new WireRequests(providerProfile(baseUrl.hostname, options.profile));
    this.#connection = new ChatConnection({
      baseUrl,
      // The package refuses to work without one.
      apiKey: apiKey || 'none',
      headers,
      maxResponseBytes,
      timeouts: llmTimeouts(options.timeouts),
    });
  }

  /** @throws LlmException, or the signal's reason. */
  async chat(request: LlmRequest): Promise<LlmResponse> {
    const guard = this.#connection.guard(request.signal);
    try {
      const body = this.#requests.body(request, false);
      return await withRetry(() => this.#connection.complete(body, guard), this.#retry, guard);
    } finally {
      guard.release();
    }
  }

  /**
   * The call begins when the first chunk is asked for. Each iteration of the result makes a call of its own; an
   * iterator throws its error once and is then at its end.
   */
  streamChat(request: LlmRequest): AsyncIterable<LlmStreamChunk> {
    return {
      [Symbol.asyncIterator]: () =>
        new ChatStream({
          connection: this.#connection,
          retry: this.#retry,
          signal: request.signal,
          body: () => this.#requests.body(request, true),
        }).chunks,
    };
  }

  /** Closes idle connections, and busy ones when their answers are complete. Later calls fail. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}

function requireKey(baseUrl: BaseUrl, apiKey: string | undefined, headers: object): void {
  if (apiKey || baseUrl.local || Object.keys(headers).some((name) => AUTHORISING.has(name.toLowerCase())))
    return;
  throw new AgentException(
    `No API key for ${baseUrl.display}. Set OPENAI_API_KEY (option apiKey), or OPENAI_BASE_URL (option baseUrl) ` +
      `to a local server, which needs none.`,
    { code: 'missing_api_key' },
  );
}

/** Told at start, because the error of a header at the first call would hold the key. */
function requireSendable(apiKey: string | undefined, headers: Readonly<Record<string, string>>): void {
  const broken =
    apiKey && !/^[\x21-\x7e]+$/.test(apiKey)
      ? 'The API key (OPENAI_API_KEY, option apiKey)'
      : Object.entries(headers).flatMap(([name, value]) =>
          /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? [] : [`The header "${name}" (option headers)`],
        )[0];
  if (!broken) return;
  throw new AgentException(
    `${broken} holds a line break or another character that no HTTP header can carry. Copy it again, without quotes or spaces.`,
    { code: 'invalid_api_key' },
  );
}
