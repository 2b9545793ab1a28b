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
  #closing: Promise<void> | undefined;

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
  async complete(body: Buffer, guard: CallGuard): Promise<LlmResponse> {
    const exchange = this.#exchange(guard);
    try {
      await this.#send(body, exchange, guard);
      return await this.#parse(exchange);
    } catch (error) {
      throw await this.error(error, exchange, false);
    }
  }

  /** One attempt of a stream, up to the response's head. @throws as `complete`. */
  async open(body: Buffer, guard: CallGuard): Promise<Exchange> {
    const exchange = this.#exchange(guard);
    try {
      await this.#send(body, exchange, guard);
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
  async error(thrown: unknown, exchange: Exchange, streamed: boolean): Promise<unknown> {
    const cause = exchange.failed ? exchange.error : thrown;
    if (cause instanceof LlmException) return this.#errors.redacted(cause);
    if (cause instanceof BodyTooLargeError) return this.#errors.tooLarge(exchange, cause);
    if (exchange.cancelled) return cause;
    if (exchange.failed) return this.#errors.ofNetwork(cause, exchange, streamed);
    if (exchange.status >= 300) {
      const text = await exchange.text(this.maxResponseBytes).catch(() => '');
      return this.#errors.ofStatus(exchange, text);
    }
    return thrown;
  }

  /** Closes once, however often it is called. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const client = await this.#loading?.catch(() => undefined);
    await client?.close();
  }

  #exchange(guard: CallGuard): Exchange {
    const exchange = new Exchange(() => guard.limit('first_token'));
    guard.watch((reason) => exchange.cancel(reason));
    return exchange;
  }

  async #send(body: Buffer, exchange: Exchange, guard: CallGuard): Promise<void> {
    if (this.#closing) {
      throw new LlmException(`The provider of ${this.#options.baseUrl.display} is closed. Make a new one.`, {
        kind: 'unavailable',
        retryable: false,
      });
    }
    const client = await (this.#loading ??= this.#load());
    guard.limit('connect');
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
