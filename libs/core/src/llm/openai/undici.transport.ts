import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** Who reads a response body. Exactly one of `end` and `fail` is called, last. */
export interface BodySink {
  data(bytes: Uint8Array): void;
  end(): void;
  fail(error: unknown): void;
}

/** A body went over its limit. */
export class BodyTooLargeError extends Error {
  constructor(bytes: number) {
    super(`The response has more than ${bytes} bytes.`);
  }
}

/** How long a body may take to end after its last useful byte, in ms. The socket is reused if it does. */
const LINGER_MS = 100;

interface Head {
  resolve(): void;
  reject(error: unknown): void;
}

/** One HTTP request and its response, as undici dispatches it: no stream objects, and back-pressure by hand. */
export class Exchange implements Dispatcher.DispatchHandler {
  /** 0 until the response has begun. */
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly #onConnected: () => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Head | undefined;
  #sink: BodySink | undefined;
  /** What arrived in the same packet as the headers, before anyone could read it. */
  #early: Uint8Array[] = [];
  #state: 'open' | 'ended' | 'failed' | 'dropped' = 'open';
  #error: unknown;
  #cancelled = false;
  #text: Promise<string> | undefined;
  #linger: NodeJS.Timeout | undefined;

  /** @param onConnected called when the request goes out on a connection. */
  constructor(onConnected: () => void) {
    this.#onConnected = onConnected;
  }

  /** True if `cancel` ended it: the error is then the caller's own, not the network's. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** True if it ended before its response did. */
  get failed(): boolean {
    return this.#state === 'failed';
  }

  /** Why it failed. */
  get error(): unknown {
    return this.#error;
  }

  /** True once a connection stood. */
  get connected(): boolean {
    return this.#controller !== undefined;
  }

  get contentType(): string {
    return this.headers['content-type']?.toLowerCase() ?? '';
  }

  /** Sends the request; resolves when the response has begun. @throws the network's error, or what `cancel` was given. */
  start(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#head = { resolve, reject };
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors
      if (this.#state === 'failed') reject(this.#error);
      else dispatcher.dispatch(options, this);
    });
  }

  /** The whole body as text. @throws BodyTooLargeError if it has more than `maxBytes`. */
  text(maxBytes: number): Promise<string> {
    return (this.#text ??= new Promise((resolve, reject) => {
      const pieces: Uint8Array[] = [];
      let size = 0;
      this.pipe({
        data: (bytes) => {
          size += bytes.byteLength;
          if (size <= maxBytes) {
            pieces.push(bytes);
            return;
          }
          const error = new BodyTooLargeError(maxBytes);
          reject(error);
          this.cancel(error);
        },
        end: () => resolve(Buffer.concat(pieces, size).toString()),
        fail: reject,
      });
    }));
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    for (const bytes of this.#early.splice(0)) sink.data(bytes);
    if (this.#state === 'ended') sink.end();
    else if (this.#state === 'failed') sink.fail(this.#error);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** Ends the exchange with an error and destroys its socket. */
  cancel(reason: unknown): void {
    if (this.#state !== 'open') return;
    this.#cancelled = true;
    this.#fail(reason);
    this.#destroy();
  }

  /** Nothing more is wanted of the body. Its socket goes back to the pool if it ends at once, else it is destroyed. */
  drop(): void {
    if (this.#state !== 'open') return;
    this.#state = 'dropped';
    this.#sink = undefined;
    this.#linger = setTimeout(() => this.#destroy(), LINGER_MS).unref();
    this.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === 'failed') this.#destroy();
    else this.#onConnected();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.#state !== 'open') return;
    this.status = status;
    this.headers = headers;
    this.#head?.resolve();
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Uint8Array): void {
    if (this.#sink) this.#sink.data(bytes);
    else if (this.#state === 'open') this.#early.push(bytes);
  }

  onResponseEnd(): void {
    clearTimeout(this.#linger);
    if (this.#state !== 'open') return;
    this.#state = 'ended';
    this.#sink?.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#linger);
    if (this.#state === 'open') this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#error = error;
    this.#early = [];
    this.#head?.reject(error);
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.fail(error);
  }

  #destroy(): void {
    this.#controller?.abort(new Error('The request was cancelled.'));
  }
}
