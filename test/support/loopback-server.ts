import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface RecordedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text. */
  readonly body: string;
}

export type LoopbackHandler = (response: ServerResponse, request: RecordedRequest, number: number) => void;

/** A real HTTP server on a free port of the loopback interface. */
export class LoopbackServer {
  readonly requests: RecordedRequest[] = [];
  readonly sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #handler: LoopbackHandler;

  private constructor(handler: LoopbackHandler) {
    this.#handler = handler;
    this.#server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** @param handler answers; `number` is that of the request, 1-based. */
  static async start(handler: LoopbackHandler): Promise<LoopbackServer> {
    const loopback = new LoopbackServer(handler);
    loopback.#server.listen(0, '127.0.0.1');
    await once(loopback.#server, 'listening');
    return loopback;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when no client is connected any more. */
  async quiet(): Promise<void> {
    await Promise.all([...this.sockets].map((socket) => once(socket, 'close')));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    request.setEncoding('utf8');
    request.on('error', () => {}); // a client that goes away is part of many tests
    request.on('data', (piece: string) => (body += piece));
    await once(request, 'end');
    const recorded = { url: request.url ?? '', headers: request.headers, body };
    this.#handler(response, recorded, this.requests.push(recorded));
  }
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, json: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}

/** Begins a stream of events; the caller writes and ends it. */
export function openEventStream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return response;
}

/** A whole chat completion with a text answer. */
export function textCompletion(content: string): object {
  return {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
}
