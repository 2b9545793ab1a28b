import type { ServerResponse } from 'node:http';

const HEARTBEAT_MS = 10_000;
/** Heartbeats without any progress before a client counts as gone. */
const MISSED_HEARTBEATS = 3;

/**
 * Server-sent events written straight to the response: ids count from 1 unless they are given, a comment every ten
 * seconds keeps proxies from closing. A client that takes nothing for thirty seconds is cut off; it would hold up its run, and a shutdown.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #sequence = 0;

  /** @param heartbeatMs time between two comments in ms, > 0. Default 10,000. */
  constructor(response: ServerResponse, heartbeatMs = HEARTBEAT_MS) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      // `no-transform` keeps compression middleware from holding events back; the other is for nginx.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    response.flushHeaders();
    response.setTimeout(MISSED_HEARTBEATS * heartbeatMs);
    this.#heartbeat = setInterval(() => response.write(': keep-alive\n\n'), heartbeatMs);
  }

  /** Sends an event. Gives a promise while the client is behind. @param id default: one more than that of the event before */
  send(event: string, data: unknown, id = this.#sequence + 1): Promise<void> | undefined {
    if (this.#response.destroyed) return undefined;
    this.#sequence = id;
    const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
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
