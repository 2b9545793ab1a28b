interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/** An iterator that also gives what is there already, without a promise for each value. */
export interface PollableIterator<T> extends AsyncIterableIterator<T, undefined> {
  /** The next value that is held; `undefined` if there is none just now. */
  poll(): T | undefined;
}

/** Who fills a `ChunkQueue`. */
export interface ChunkProducer {
  /** The consumer asked for its first value. */
  start(): void;
  /** A queue that was full has room again. */
  resume(): void;
  /** The consumer stopped reading. */
  cancel(): void;
}

/**
 * Chunks between a socket and one consumer. `push` never waits, because what one packet held must go somewhere;
 * it says when the producer is to pause. No promise is made per chunk while the consumer is behind.
 */
export class ChunkQueue<T> implements PollableIterator<T> {
  readonly #producer: ChunkProducer;
  readonly #capacity: number;
  #values: T[] = [];
  #head = 0;
  #waiters: Waiter<T>[] = [];
  #started = false;
  #ended = false;
  #full = false;
  #failure: { readonly error: unknown } | undefined;

  /** @param capacity chunks held before the producer is told to pause. Default 64. */
  constructor(producer: ChunkProducer, capacity = 64) {
    this.#producer = producer;
    this.#capacity = capacity;
  }

  push(value: T): void {
    if (this.#ended) return;
    const waiter = this.#waiters.shift();
    if (waiter) waiter.resolve({ value, done: false });
    else this.#values.push(value);
  }

  /** True if the producer is to pause; `resume` is then called once half of the capacity is free. */
  isFull(): boolean {
    this.#full = !this.#ended && this.#values.length - this.#head > this.#capacity;
    return this.#full;
  }

  /** No more values, or an error after those that are held. Ignored after the end. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    for (const { resolve, reject } of this.#waiters.splice(0)) this.next().then(resolve, reject);
  }

  poll(): T | undefined {
    return this.#head < this.#values.length ? this.#take() : undefined;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#head < this.#values.length) return Promise.resolve({ value: this.#take(), done: false });
    if (this.#ended) return this.#last();
    const result = new Promise<IteratorResult<T, undefined>>((resolve, reject) => {
      this.#waiters.push({ resolve, reject });
    });
    if (!this.#started) {
      this.#started = true;
      this.#producer.start();
    }
    return result;
  }

  /** The consumer stops: what is held is dropped and the producer cancelled. */
  return(): Promise<IteratorResult<T, undefined>> {
    const running = this.#started && !this.#ended;
    this.#values = [];
    this.#head = 0;
    this.#failure = undefined;
    this.end();
    if (running) this.#producer.cancel();
    return this.#last();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): T {
    const value = this.#values[this.#head++] as T; // the caller has checked that there is one
    if (this.#head * 2 >= this.#values.length && (this.#head > 128 || this.#head === this.#values.length)) {
      this.#values = this.#values.slice(this.#head);
      this.#head = 0;
    }
    if (this.#full && this.#values.length - this.#head <= this.#capacity / 2) {
      this.#full = false;
      if (!this.#ended) this.#producer.resume();
    }
    return value;
  }

  /** The error is thrown once; after it the iteration is over. */
  #last(): Promise<IteratorResult<T, undefined>> {
    const failure = this.#failure;
    this.#failure = undefined;
    if (!failure) return Promise.resolve({ value: undefined, done: true });
    // What the caller's signal was aborted with may be any value.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    return Promise.reject(failure.error);
  }
}
