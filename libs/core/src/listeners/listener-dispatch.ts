import { thrownMessage } from '../operators/tool-error.js';
import type { AgentCallbackContext, AgentExecutionListener } from './agent-execution.listener.js';
import type { AgentLogger } from './agent-logger.js';

type Callback = keyof AgentExecutionListener;

/** Which callbacks of a listener have failed before: each is logged once, however many runs there are. */
const loggedByListener = new WeakMap<object, Set<Callback>>();

/** How long the promises of listeners are awaited when a run ends. */
const SETTLE_LIMIT_MS = 5_000;

/** Tells the listeners of one run. Nothing a listener does reaches the run or another listener. */
export class ListenerDispatch {
  readonly #listeners: readonly Partial<AgentExecutionListener>[];
  readonly #context: AgentCallbackContext;
  readonly #logger: AgentLogger;
  readonly #pending = new Set<Promise<void>>();

  constructor(
    listeners: readonly Partial<AgentExecutionListener>[],
    context: AgentCallbackContext,
    logger: AgentLogger,
  ) {
    this.#listeners = listeners;
    this.#context = context;
    this.#logger = logger;
  }

  /** False if nobody listens: payloads need not be made then. */
  get active(): boolean {
    return this.#listeners.length > 0;
  }

  tell<K extends Callback>(callback: K, payload: Parameters<AgentExecutionListener[K]>[0]): void {
    for (const listener of this.#listeners) this.#call(listener, callback, payload);
  }

  /** Waits for what the listeners still do, five seconds at most. */
  async settle(): Promise<void> {
    if (this.#pending.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, SETTLE_LIMIT_MS, 'late')));
    const result = await Promise.race([Promise.all(this.#pending), limit]);
    clearTimeout(timer);
    if (result === 'late') {
      this.#logger.warn(
        `A run of ${this.#context.graphName} ended while ${this.#pending.size} listener promises were open; ` +
          `they were not awaited any longer.`,
      );
    }
  }

  #call<K extends Callback>(
    listener: Partial<AgentExecutionListener>,
    callback: K,
    payload: Parameters<AgentExecutionListener[K]>[0],
  ): void {
    try {
      // The key ties the payload to the callback; TypeScript cannot follow that through an index.
      const method = listener[callback] as
        ((payload: unknown, context: AgentCallbackContext) => unknown) | undefined;
      const result = method?.call(listener, payload, this.#context);
      if (result instanceof Promise) this.#track(result, listener, callback);
    } catch (error) {
      this.#logOnce(listener, callback, error);
    }
  }

  #track(result: Promise<unknown>, listener: object, callback: Callback): void {
    const tracked = result.then(
      () => {
        this.#pending.delete(tracked);
      },
      (error: unknown) => {
        this.#pending.delete(tracked);
        this.#logOnce(listener, callback, error);
      },
    );
    this.#pending.add(tracked);
  }

  #logOnce(listener: object, callback: Callback, error: unknown): void {
    const logged = loggedByListener.get(listener) ?? new Set();
    if (logged.has(callback)) return;
    loggedByListener.set(listener, logged.add(callback));
    // An object without a prototype has none.
    const name = listener instanceof Object ? `${listener.constructor.name}.${callback}` : callback;
    this.#logger.warn(`Listener ${name} failed; the run goes on: ${thrownMessage(error)}`);
  }
}
