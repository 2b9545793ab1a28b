import type { CallGuard } from '../call.guard.js';
import { ChunkQueue, type ChunkProducer } from '../chunk.queue.js';
import type { LlmResponse, LlmStreamChunk } from '../llm.provider.js';
import { withRetry, type RetryPolicy } from '../retry.js';
import type { ChatConnection } from './chat.connection.js';
import { StreamReader } from './stream.reader.js';
import type { Exchange } from './undici.transport.js';

export interface ChatStreamOptions {
  readonly connection: ChatConnection;
  readonly retry: RetryPolicy;
  readonly signal: AbortSignal | undefined;
  /** Made when the call begins. */
  readonly body: () => Buffer;
}

/** One streamed model call: its attempts, and the queue its consumer reads. */
export class ChatStream implements ChunkProducer {
  readonly chunks = new ChunkQueue<LlmStreamChunk>(this);
  readonly #options: ChatStreamOptions;
  #guard: CallGuard | undefined;
  #exchange: Exchange | undefined;
  /** Something was handed over: a further attempt would say it twice. */
  #delivered = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
  }

  start(): void {
    // #run ends the queue whatever happens; it never rejects.
    void this.#run();
  }

  resume(): void {
    this.#guard?.limit('idle');
    this.#exchange?.resume();
  }

  cancel(): void {
    this.#guard?.cancel(new DOMException('The consumer stopped reading.', 'AbortError'));
  }

  async #run(): Promise<void> {
    const { connection, retry, signal, body } = this.#options;
    const guard = (this.#guard = connection.guard(signal));
    try {
      const bytes = body();
      await withRetry(() => this.#attempt(bytes, guard), retry, {
        wait: (ms) => guard.wait(ms),
        mayRetry: () => !this.#delivered,
      });
      this.chunks.end();
    } catch (error) {
      this.chunks.end({ error });
    } finally {
      guard.release();
    }
  }

  async #attempt(body: Buffer, guard: CallGuard): Promise<void> {
    const { connection } = this.#options;
    const exchange = (this.#exchange = await connection.open(body, guard));
    if (/^(application\/json|text\/html)/.test(exchange.contentType)) {
      this.#deliver(await connection.whole(exchange));
      return;
    }
    try {
      await new StreamReader({
        exchange,
        guard,
        maxBytes: connection.maxResponseBytes,
        isFull: () => this.chunks.isFull(),
        emit: (chunk) => {
          this.#delivered = true;
          this.chunks.push(chunk);
        },
      }).read();
    } catch (error) {
      throw await connection.error(error, exchange, true);
    }
  }

  /** A whole answer as a stream of one piece. */
  #deliver(response: LlmResponse): void {
    const { content, reasoning } = response.message;
    if (reasoning) this.chunks.push({ type: 'reasoning', text: reasoning });
    if (content) this.chunks.push({ type: 'token', text: content });
    this.chunks.push({ type: 'finish', response });
  }
}
