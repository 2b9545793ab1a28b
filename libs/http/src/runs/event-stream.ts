import type { ServerResponse } from 'node:http';

const HEARTBEAT_MS = 10_000;

/** Server-sent events written straight to the response: ids count from 1, a comment every ten seconds keeps proxies from closing. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #sequence = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      // `no-transform` keeps compression middleware from holding events back; the other is for nginx.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    response.flushHeaders();
    this.#heartbeat = setInterval(() => response.write(': keep-alive\n\n'), HEARTBEAT_MS);
  }

  /** Sends an event. Gives a promise while the client is behind. */
  send(event: string, data: unknown): Promise<void> | undefined {
    if (this.#response.destroyed) return undefined;
    this.#sequence += 1;
    const text = `id: ${this.#sequence}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    return this.#response.write(text) ? undefined : this.#drained();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#response.off('drain', done);
        this.#response.off('close', done);
        resolve();
      };
      this.#response.on('drain', done);
      this.#response.on('close', done);
    });
  }
}
