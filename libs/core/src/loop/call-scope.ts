/** The cancellation of one tool call. Its signal is made only if somebody asks for it. */
export class CallScope {
  #controller: AbortController | undefined;
  #cancelled: { readonly reason: unknown } | undefined;
  #onCancel: ((reason: unknown) => void) | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#cancelled) this.#controller.abort(this.#cancelled.reason);
    }
    return this.#controller.signal;
  }

  get cancelled(): boolean {
    return this.#cancelled !== undefined;
  }

  get reason(): unknown {
    return this.#cancelled?.reason;
  }

  /** The first reason stays. */
  cancel(reason: unknown): void {
    if (this.#cancelled) return;
    this.#cancelled = { reason };
    this.#controller?.abort(reason);
    this.#onCancel?.(reason);
  }

  /**
   * Waits for work that has started. When the scope is cancelled, the work has `graceMs` to end; after that its
   * promise is left alone and this rejects with the reason.
   */
  settle<T>(work: Promise<T>, graceMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        this.#onCancel = undefined;
      };
      const startGrace = (reason: unknown): void => {
        timer = setTimeout(() => {
          finish();
          reject(reason);
        }, graceMs);
      };
      this.#onCancel = startGrace;
      if (this.#cancelled) startGrace(this.#cancelled.reason);
      work.then(
        (value) => {
          finish();
          resolve(value);
        },
        (error: unknown) => {
          finish();
          reject(error);
        },
      );
    });
  }

  /** Waits `ms`, or until cancelled. */
  pause(ms: number): Promise<void> {
    if (this.#cancelled) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#onCancel = undefined;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.#onCancel = finish;
    });
  }
}
