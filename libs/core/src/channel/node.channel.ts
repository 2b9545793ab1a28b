interface Waiter<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

/**
 * A bounded channel between one producer and one consumer. `send` waits while the buffer is full, so a slow
 * consumer slows the producer; a consumer that stops iterating (`return`) cancels the producer.
 */
export class NodeChannel<T> implements AsyncIterableIterator<T, undefined> {
  readonly capacity: number;
  readonly #controller = new AbortController();
  #buffer: T[] = [];
  /** Index of the oldest value in the buffer; the buffer is cut now and then, not at each read. */
  #head = 0;
  #ended = false;
  /** True once the producer said that there is nothing more to come. */
  #completed = false;
  #failure: { readonly error: unknown } | undefined;
  #readers: Waiter<T>[] = [];
  #room: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  /** @param capacity values held before `send` waits, >= 1. Default 16. */
  constructor(capacity = 16) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`NodeChannel capacity must be an integer >= 1, got ${String(capacity)}.`);
    }
    this.capacity = capacity;
  }

  /** Aborts when the consumer has stopped iterating: whoever produces should stop too. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True once nothing more will be accepted. */
  get closed(): boolean {
    return this.#ended;
  }

  /**
   * Hands a value over. Gives a promise only if the buffer is full: await what it returns, if anything. After
   * `close`, `fail` or the consumer's `return` the value is dropped.
   */
  send(value: T): Promise<void> | undefined {
    if (this.#ended) return undefined;
    const reader = this.#readers.shift();
    if (reader) {
      reader.resolve({ value, done: false });
      return undefined;
    }
    this.#buffer.push(value);
    return this.#buffer.length - this.#head < this.capacity ? undefined : this.#waitForRoom();
  }

  /** No more values; what is buffered is still delivered. */
  close(): void {
    if (!this.#ended) this.#completed = true;
    this.#end(undefined);
  }

  /** As `close`, but the iteration then throws the error. Ignored after `close`. */
  fail(error: unknown): void {
    this.#end({ error });
  }

  /** The next buffered value without waiting; `undefined` if there is none just now. */
  poll(): T | undefined {
    if (this.#head === this.#buffer.length) return undefined;
    return this.#take();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#head < this.#buffer.length) return Promise.resolve({ value: this.#take(), done: false });
    if (!this.#ended) return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
    if (this.#failure) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    return Promise.resolve({ value: undefined, done: true });
  }

  /** The consumer stops: buffered values are dropped and, unless all was sent, the producer's signal aborts. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#buffer = [];
    this.#head = 0;
    this.#failure = undefined;
    this.#end(undefined);
    if (!this.#completed)
      this.#controller.abort(new DOMException('The consumer stopped reading.', 'AbortError'));
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #take(): T {
    const value = this.#buffer[this.#head++] as T; // the callers have checked that there is one
    if (this.#head === this.#buffer.length || this.#head > this.capacity) {
      this.#buffer = this.#buffer.slice(this.#head);
      this.#head = 0;
    }
    // Half of the buffer, not the first free place: a sender that wakes for each value makes every hop wait.
    if (this.#room && (this.#buffer.length - this.#head) * 2 <= this.capacity) {
      const { resolve } = this.#room;
      this.#room = undefined;
      resolve();
    }
    return value;
  }

  #waitForRoom(): Promise<void> {
    if (!this.#room) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => (resolve = done));
      this.#room = { promise, resolve };
    }
    return this.#room.promise;
  }

  #end(failure: { readonly error: unknown } | undefined): void {
    this.#room?.resolve();
    this.#room = undefined;
    if (this.#ended) return;
    this.#ended = true;
    const readers = this.#readers;
    this.#readers = [];
    if (failure && readers.length === 0) this.#failure = failure;
    readers.forEach((reader, index) => {
      if (failure && index === 0) reader.reject(failure.error);
      else reader.resolve({ value: undefined, done: true });
    });
  }
}
