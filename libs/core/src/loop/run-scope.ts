import { onAbort } from '../cancellation/on-abort.js';
import { MAX_TIMER_MS } from '../definition/max-timer.js';
import { CallScope } from './call-scope.js';

/** The cancellation of one run: one signal, fed by the caller's signals and the deadline. */
export class RunScope {
  readonly #controller = new AbortController();
  readonly #disposers: (() => void)[] = [];

  constructor(signals: readonly (AbortSignal | undefined)[]) {
    for (const signal of signals) this.follow(signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#controller.signal.aborted;
  }

  get reason(): unknown {
    return this.#controller.signal.reason;
  }

  /** Aborts when the signal does, with its reason. */
  follow(signal: AbortSignal | undefined): void {
    this.#disposers.push(onAbort(signal, () => this.abort(signal?.reason)));
  }

  /** The first reason stays. */
  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Aborts with what `reason` makes, after `ms`; that may be longer than one timer can wait. */
  abortAfter(ms: number, reason: () => Error): void {
    let left = ms;
    const wait = (): NodeJS.Timeout => {
      const part = Math.min(left, MAX_TIMER_MS);
      left -= part;
      return setTimeout(() => {
        if (left > 0) timer = wait();
        else this.abort(reason());
      }, part);
    };
    let timer = wait();
    this.#disposers.push(() => clearTimeout(timer));
  }

  throwIfAborted(): void {
    this.#controller.signal.throwIfAborted();
  }

  /** Gives what the promise gives, or rejects with the reason as soon as the run is aborted. */
  race<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const dispose = onAbort(this.signal, () => reject(this.reason));
      promise.finally(dispose).then(resolve, reject);
    });
  }

  /** Resolves with the promise, or as soon as the run is aborted. */
  orAborted(promise: Promise<void>): Promise<void> {
    return this.race(promise).catch((error: unknown) => {
      if (!this.aborted) throw error;
    });
  }

  /** Waits for work that must not be left half done: once the run is aborted it has `graceMs` to end. */
  settle<T>(work: Promise<T>, graceMs: number): Promise<T> {
    const scope = new CallScope();
    const dispose = onAbort(this.signal, () => scope.cancel(this.reason));
    return scope.settle(work, graceMs).finally(dispose);
  }

  /** Releases timers and listeners. */
  dispose(): void {
    for (const dispose of this.#disposers) dispose();
    this.#disposers.length = 0;
  }
}
