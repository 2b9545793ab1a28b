import { OpenAI, type ClientOptions } from 'openai';
import { Agent } from 'undici';
import type { BaseUrl } from './base-url.js';
import { Exchange } from './undici.transport.js';

export interface ChatClientOptions {
  readonly baseUrl: BaseUrl;
  readonly apiKey: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest body that is read as a whole. */
  readonly maxResponseBytes: number;
  readonly connectMs: number;
  readonly totalMs: number;
}

type BuildRequest = OpenAI['buildRequest'];
type Prepared = Awaited<ReturnType<BuildRequest>>;

/** The package only lists these for its debug log; undici gets the real ones as the flat list made once. */
const NO_HEADERS = new Headers();

/**
 * The `openai` package over undici. The package makes the request, its headers and its errors; the request's head is
 * the same each time and made once, and the body is what we serialised. Retries and time-outs are ours.
 */
export class ChatClient extends OpenAI {
  readonly #agent: Agent;
  readonly #base: BaseUrl;
  readonly #maxBytes: number;
  #prepared: Prepared | undefined;
  #wireHeaders: string[] = [];

  constructor({ baseUrl, apiKey, headers, maxResponseBytes, connectMs, totalMs }: ChatClientOptions) {
    const options: ClientOptions = {
      apiKey,
      baseURL: baseUrl.display,
      defaultHeaders: { 'User-Agent': 'Nestor', ...headers },
      maxRetries: 0,
      timeout: Math.ceil(totalMs),
      logLevel: 'off',
    };
    super({ ...options, fetch: (_, init) => this.#fetch(init) });
    this.#base = baseUrl;
    this.#maxBytes = maxResponseBytes;
    this.#agent = new Agent({
      // Ours runs out first; this one frees the socket of a call that gave up while it was connecting.
      connect: { timeout: connectMs + 1_000 },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 30_000,
    });
  }

  /** Sends a body; resolves when a 2xx response has begun. @throws the package's errors. */
  async send(body: Buffer, exchange: Exchange): Promise<void> {
    await this.post('/chat/completions', {
      body,
      headers: { 'content-type': 'application/json' },
      fetchOptions: { client: exchange },
    }).asResponse();
  }

  /** Closes idle sockets, and the others when their responses have ended. */
  close(): Promise<void> {
    return this.#agent.close();
  }

  override async buildRequest(...[options, context]: Parameters<BuildRequest>): Promise<Prepared> {
    const prepared = (this.#prepared ??= await this.#prepare(options, context));
    const { body, fetchOptions } = options;
    return { ...prepared, req: { ...prepared.req, body: body as Buffer, ...fetchOptions } };
  }

  async #prepare(...args: Parameters<BuildRequest>): Promise<Prepared> {
    const { req, url, timeout } = await super.buildRequest(...args);
    this.#wireHeaders = [...req.headers].flat();
    return { req: { method: req.method ?? 'POST', headers: NO_HEADERS }, url, timeout };
  }

  async #fetch(init: RequestInit | undefined): Promise<Response> {
    const exchange = init && 'client' in init ? init.client : undefined;
    if (!(exchange instanceof Exchange)) throw new TypeError('Only send() makes requests with this client.');
    await exchange.start(this.#agent, {
      origin: this.#base.origin,
      path: this.#base.chatPath,
      method: 'POST',
      headers: this.#wireHeaders,
      body: init?.body as Buffer, // what send() gave
    });
    const { status } = exchange;
    const response: Pick<Response, 'status' | 'ok' | 'url' | 'headers' | 'text'> = {
      status,
      ok: status >= 200 && status < 300,
      url: this.#base.display,
      headers: NO_HEADERS,
      text: () => exchange.text(this.#maxBytes),
    };
    // The package reads no other members; a real Response costs more than the rest of the call.
    return response as Response;
  }
}
