import { AgentException, onAbort } from '@nestor/core';

interface ActiveRun {
  readonly controller: AbortController;
  readonly ended: Promise<unknown>;
}

/** Thrown for runs asked for while the application shuts down. */
export class ShuttingDownException extends AgentException {
  constructor() {
    super('The application is shutting down; no new run is started.', { code: 'shutting_down' });
  }
}

/** The runs of this process: to cancel one by its id, and to end all when the application stops. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();
  #closing = false;

  get size(): number {
    return this.#runs.size;
  }

  /** True once no new run is let in. */
  get closing(): boolean {
    return this.#closing;
  }

  /**
   * Starts a run under its id, with a signal that `cancel` aborts.
   * @throws ShuttingDownException, or AgentException `duplicate_run` if a run of that id is under way.
   */
  async start<T>(
    runId: string,
    outer: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.admit(runId);
    const controller = new AbortController();
    const stopListening = onAbort(outer, () => controller.abort(outer?.reason));
    const ended = run(controller.signal);
    this.#runs.set(runId, { controller, ended });
    try {
      return await ended;
    } finally {
      stopListening();
      this.#runs.delete(runId);
    }
  }

  /** @throws as `start` would. */
  admit(runId: string): void {
    if (this.#closing) throw new ShuttingDownException();
    if (!this.#runs.has(runId)) return;
    throw new AgentException(`Run "${runId}" is under way already. Leave runId out, or give a new one.`, {
      code: 'duplicate_run',
    });
  }

  /** Aborts a run. Gives false if no such run is under way here. */
  cancel(runId: string, reason: unknown): boolean {
    const run = this.#runs.get(runId);
    run?.controller.abort(reason);
    return run !== undefined;
  }

  /**
   * Lets no new run in, gives those under way `graceMs` to end, then aborts them and waits until they have ended.
   * @param handOver leaves durable runs to other processes; called when the grace is over, before the others are aborted.
   */
  async close(graceMs: number, handOver?: () => Promise<void>): Promise<void> {
    this.#closing = true;
    await this.#grace(graceMs);
    await handOver?.();
    for (const { controller } of this.#runs.values()) controller.abort(new ShuttingDownException());
    await this.#allEnded();
  }

  async #grace(graceMs: number): Promise<void> {
    if (this.#runs.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.#allEnded(), grace]);
    clearTimeout(timer);
  }

  #allEnded(): Promise<unknown> {
    return Promise.allSettled([...this.#runs.values()].map(({ ended }) => ended));
  }
}
