import { LlmException } from '../errors/llm.exception.js';
import type { LlmTimeouts } from './llm-timeouts.js';
import { onAbort } from '../cancellation/on-abort.js';

export type LlmTimeoutKind = 'connect' | 'first_token' | 'idle' | 'total';

const FIELD = {
  connect: 'connectMs',
  first_token: 'firstTokenMs',
  idle: 'idleMs',
  total: 'totalMs',
} as const satisfies Record<LlmTimeoutKind, keyof LlmTimeouts>;

const MEANING: Readonly<Record<LlmTimeoutKind, string>> = {
  connect: 'no connection stood',
  first_token: 'no answer began to arrive',
  idle: 'the answer stopped arriving',
  total: 'the call with its retries was not done',
};

/**
 * Watches one model call: the caller's signal, the limit of the present phase and the limit of the whole. One
 * listener and at most two timers, however many attempts the call takes; `release` lets go of them.
 */
export class CallGuard {
  readonly #timeouts: LlmTimeouts;
  readonly #target: string;
  readonly #total: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #phase: NodeJS.Timeout | undefined;
  #expiry: NodeJS.Immediate | undefined;
  #interrupt: ((reason: unknown) => void) | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  /** @param target what is called, for the messages. */
  constructor(target: string, timeouts: LlmTimeouts, signal?: AbortSignal) {
    this.#target = target;
    this.#timeouts = timeouts;
    this.#total = setTimeout(() => this.#expire('total'), timeouts.totalMs);
    this.#unsubscribe = onAbort(signal, () => this.cancel(signal?.reason));
  }

  /** Says what ends the thing that is awaited now. Called at once if the call is over already. */
  watch(interrupt: (reason: unknown) => void): void {
    if (this.#stopped) interrupt(this.#stopped.reason);
    else this.#interrupt = interrupt;
  }

  /** Begins a phase: its limit replaces that of the phase before. */
  limit(phase: Exclude<LlmTimeoutKind, 'total'>): void {
    clearTimeout(this.#phase);
    if (!this.#stopped) {
      this.#phase = setTimeout(() => this.#expire(phase), this.#timeouts[FIELD[phase]]);
    }
  }

  /** The limit of the phase counts from now. */
  touch(): void {
    this.#phase?.refresh();
  }

  /** No limit but the total until the next `limit`. */
  suspend(): void {
    clearTimeout(this.#phase);
    this.#phase = undefined;
  }

  /** Waits between attempts. @throws the signal's reason, or a time-out of kind `total`. */
  wait(ms: number): Promise<void> {
    this.suspend();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      this.watch((reason) => {
        clearTimeout(timer);
        // The reason of an abort is whatever the caller gave: it is passed on as it is.
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors
        reject(reason);
      });
    });
  }

  /** Ends the call: what is awaited now and every later attempt and wait. */
  cancel(reason: unknown): void {
    this.#stopped = { reason };
    clearTimeout(this.#total);
    clearImmediate(this.#expiry);
    this.#interruptAttempt(reason);
  }

  /** The call is over: nothing is held any more, and nothing will be interrupted. */
  release(): void {
    this.#interrupt = undefined;
    this.suspend();
    clearTimeout(this.#total);
    clearImmediate(this.#expiry);
    this.#unsubscribe();
  }

  /** The verdict waits for the end of the tick: an abort by the caller in the same tick wins. */
  #expire(kind: LlmTimeoutKind): void {
    this.#expiry ??= setImmediate(() => {
      this.#expiry = undefined;
      const error = this.#timeout(kind);
      if (kind === 'total') this.cancel(error);
      else this.#interruptAttempt(error);
    });
  }

  #timeout(kind: LlmTimeoutKind): LlmException {
    const ms = this.#timeouts[FIELD[kind]];
    return new LlmException(
      `${this.#target}: ${MEANING[kind]} within ${ms} ms. Raise timeouts.${FIELD[kind]} if the model is slow.`,
      { kind: 'timeout', timeout: kind },
    );
  }

  #interruptAttempt(reason: unknown): void {
    const interrupt = this.#interrupt;
    this.#interrupt = undefined;
    this.suspend();
    interrupt?.(reason);
  }
}
