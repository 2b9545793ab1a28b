import type { ServerResponse } from 'node:http';

const HEARTBEAT_MS = 10_000;
/** A client that takes nothing for this long is cut off: it holds up whoever sends to it, and a shutdown. */
const STALL_MS = 30_000;
/** Bytes handed over at a time: a client that takes a large event slowly is seen to take something. */
const PIECE_BYTES = 16 * 1024;

/**
 * Server-sent events written straight to the response. A comment every ten seconds keeps proxies from closing. Memory
 * is bounded as long as each `send` is awaited, and a wait ends after thirty seconds in which the client takes nothing:
 * its connection is destroyed then.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;
  #sequence: number;

  /** @param after the number of the last event that the client has. Default 0: ids count from 1 */
  constructor(response: ServerResponse, after = 0) {
    this.#response = response;
    this.#sequence = after;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      // `no-transform` keeps compression middleware from holding events back; the other is for nginx.
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'keep-alive',
    });
    response.flushHeaders();
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  /**
   * Sends an event. Gives a promise while the client is behind; it never rejects.
   * @param id default: one more than that of the event before; null: none, so the client comes again with that one
   */
  send(event: string, data: unknown, id: number | null = this.#sequence + 1): Promise<void> | undefined {
    if (this.#response.destroyed) return undefined;
    if (id !== null) this.#sequence = id;
    const text = `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (text.length > PIECE_BYTES) return this.#sendInPieces(Buffer.from(text));
    return this.#response.write(text) ? undefined : this.#taken();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#response.end();
    if (!this.#response.destroyed) void this.#taken();
  }

  /** While the client is behind it has enough to read, and may be in the middle of an event. */
  #beat(): void {
    if (!this.#response.writableNeedDrain) this.#response.write(': keep-alive\n\n');
  }

  async #sendInPieces(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length && !this.#response.destroyed; start += PIECE_BYTES) {
      if (!this.#response.write(bytes.subarray(start, start + PIECE_BYTES))) await this.#taken();
    }
  }

  /** Resolves when the client has taken what was written, or is gone: cut off, if need be. */
  #taken(): Promise<void> {
    return new Promise((resolve) => {
      const limit = setTimeout(() => this.#response.destroy(), STALL_MS);
      const done = (): void => {
        clearTimeout(limit);
        this.#response.off('drain', done);
        this.#response.off('close', done);
        resolve();
      };
      this.#response.on('drain', done);
      this.#response.on('close', done);
    });
  }
}
