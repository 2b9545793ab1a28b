import type { CallGuard } from '../call.guard.js';
import type { LlmStreamChunk } from '../llm.provider.js';
import { SseReader } from './sse.reader.js';
import { StreamAssembler } from './stream.assembler.js';
import { BodyTooLargeError, type BodySink, type Exchange } from './undici.transport.js';

/** An event carries a few characters in some 250 bytes of frame: a stream is far larger than what is kept of it. */
const FRAMING = 8;

export interface StreamReaderOptions {
  readonly exchange: Exchange;
  readonly guard: CallGuard;
  /** Limit of what would be kept, in bytes. */
  readonly maxBytes: number;
  readonly emit: (chunk: LlmStreamChunk) => void;
  /** True while the consumer is behind. */
  readonly isFull: () => boolean;
}

/** Reads one streamed response to its end: bytes to events to chunks, at the consumer's pace. */
export class StreamReader implements BodySink {
  readonly #options: StreamReaderOptions;
  readonly #assembler: StreamAssembler;
  readonly #events: SseReader;
  #content = 0;
  #bytes = 0;
  #settle: { resolve(): void; reject(error: unknown): void } | undefined;

  constructor(options: StreamReaderOptions) {
    this.#options = options;
    this.#assembler = new StreamAssembler(options.emit);
    this.#events = new SseReader((data, event) => {
      if (!this.#assembler.done) this.#assembler.event(data, event);
    });
  }

  /** @throws LlmException; the network's error; what the exchange was cancelled with. */
  read(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#options.exchange.pipe(this);
    });
  }

  data(bytes: Uint8Array): void {
    const { exchange, guard, isFull, maxBytes } = this.#options;
    if (!this.#settle) return;
    this.#bytes += bytes.byteLength;
    try {
      if (this.#bytes > maxBytes * FRAMING) throw new BodyTooLargeError(maxBytes * FRAMING);
      this.#events.push(bytes);
      if (this.#assembler.done) this.#finish();
    } catch (error) {
      this.#reject(error);
      exchange.cancel(error);
      return;
    }
    if (this.#assembler.done) exchange.drop();
    else if (isFull()) {
      exchange.pause();
      guard.suspend();
    } else this.#watchIdle();
  }

  end(): void {
    if (!this.#settle) return;
    try {
      this.#events.end();
      this.#finish();
    } catch (error) {
      this.#reject(error);
    }
  }

  /** A cut connection is no loss if the answer was complete. */
  fail(error: unknown): void {
    if (!this.#settle) return;
    try {
      if (this.#options.exchange.cancelled) throw error;
      this.#finish();
    } catch {
      this.#reject(error);
    }
  }

  #finish(): void {
    this.#assembler.end();
    this.#settle?.resolve();
    this.#settle = undefined;
  }

  #reject(error: unknown): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }

  /** Only content restarts the idle limit: keep-alives prove a socket, not a model. */
  #watchIdle(): void {
    const { contentCount } = this.#assembler;
    if (contentCount === this.#content) return;
    if (this.#content === 0) this.#options.guard.limit('idle');
    else this.#options.guard.touch();
    this.#content = contentCount;
  }
}
