import { LlmException } from '../../errors/llm.exception.js';
import { CallGuard } from '../call.guard.js';
import type { LlmResponse } from '../llm.provider.js';
import type { LlmTimeouts } from '../llm-timeouts.js';
import type { BaseUrl } from './base-url.js';
import { parseCompletion } from './completion.js';
import type { ChatClient } from './openai.client.js';
import { parseJson, WireErrors } from './wire-errors.js';
import { BodyTooLargeError, Exchange } from './undici.transport.js';

export interface ChatConnectionOptions {
  readonly baseUrl: BaseUrl;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxResponseBytes: number;
  readonly timeouts: LlmTimeouts;
}

/** Single attempts of model calls: a body goes out, an answer or a typed error comes back. */
export class ChatConnection {
  readonly #options: ChatConnectionOptions;
  readonly #errors: WireErrors;
  #loading: Promise<ChatClient> | undefined;
  #closed = false;

  constructor(options: ChatConnectionOptions) {
    this.#options = options;
    this.#errors = new WireErrors(options.baseUrl.display, [
      options.apiKey,
      ...Object.values(options.headers),
    ]);
  }

  get maxResponseBytes(): number {
    return this.#options.maxResponseBytes;
  }

  /** Begins a call. The caller releases the guard. */
  guard(signal: AbortSignal | undefined): CallGuard {
    return new CallGuard(this.#options.baseUrl.display, this.#options.timeouts, signal);
  }

  /** One attempt without streaming. @throws LlmException, or the reason the guard interrupted with. */
  async complete(body: string, guard: CallGuard): Promise<LlmResponse> {
    const exchange = this.#exchange(guard);
    try {
      await this.#send(body, exchange);
      return await this.#parse(exchange);
    } catch (error) {
      throw await this.error(error, exchange, false);
    }
  }

  /** One attempt of a stream, up to the response's head. @throws as `complete`. */
  async open(body: string, guard: CallGuard): Promise<Exchange> {
    const exchange = this.#exchange(guard);
    try {
      await this.#send(body, exchange);
      return exchange;
    } catch (error) {
      throw await this.error(error, exchange, true);
    }
  }

  /** The whole answer to a stream request that came without being streamed. @throws LlmException */
  async whole(exchange: Exchange): Promise<LlmResponse> {
    try {
      return await this.#parse(exchange);
    } catch (error) {
      throw await this.error(error, exchange, true);
    }
  }

  /** What to throw for what went wrong in an exchange. */
  async error(error: unknown, exchange: Exchange, streamed: boolean): Promise<unknown> {
    const cause = exchange.failed ? exchange.error : error;
    if (cause instanceof LlmException) return this.#errors.redacted(cause);
    if (cause instanceof BodyTooLargeError) return this.#errors.tooLarge(exchange, cause);
    if (exchange.cancelled) return cause;
    if (exchange.failed) return this.#errors.ofNetwork(cause, exchange, streamed);
    if (exchange.status >= 300) {
      return this.#errors.ofStatus(exchange, await exchange.text(this.maxResponseBytes));
    }
    return error;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#loading)?.close();
  }

  #exchange(guard: CallGuard): Exchange {
    const exchange = new Exchange(() => guard.limit('first_token'));
    guard.limit('connect');
    guard.watch((reason) => exchange.cancel(reason));
    return exchange;
  }

  async #send(body: string, exchange: Exchange): Promise<void> {
    const client = await (this.#loading ??= this.#load());
    await client.send(body, exchange);
  }

  async #load(): Promise<ChatClient> {
    const { ChatClient } = await import('./openai.client.js');
    return new ChatClient({ ...this.#options, ...this.#options.timeouts });
  }

  async #parse(exchange: Exchange): Promise<LlmResponse> {
    const text = await exchange.text(this.maxResponseBytes);
    const json = parseJson(text);
    if (json === undefined) throw this.#errors.notACompletion(exchange, text);
    return parseCompletion(json);
  }
}
