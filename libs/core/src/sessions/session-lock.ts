import { SessionBusyException } from '../errors/session-busy.exception.js';
import { onAbort } from '../cancellation/on-abort.js';
import type { SessionLockOptions } from './conversation.store.js';

/** One holder per session, the others in line. Within one process. */
export class SessionLock {
  readonly #queues = new Map<string, (() => void)[]>();

  /**
   * Resolves with the release once the session is free.
   * @throws SessionBusyException with `whenBusy: 'refuse'`; the signal's reason if it aborts while waiting.
   */
  async acquire(sessionId: string, options: SessionLockOptions = {}): Promise<() => void> {
    options.signal?.throwIfAborted();
    const queue = this.#queues.get(sessionId);
    if (!queue) {
      this.#queues.set(sessionId, []);
    } else {
      if (options.whenBusy === 'refuse') throw new SessionBusyException(sessionId);
      await waitInLine(queue, options.signal);
    }
    let held = true;
    return () => {
      if (held) this.#release(sessionId);
      held = false;
    };
  }

  #release(sessionId: string): void {
    const next = this.#queues.get(sessionId)?.shift();
    if (next) next();
    else this.#queues.delete(sessionId);
  }
}

function waitInLine(queue: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      dispose();
      resolve();
    };
    const dispose = onAbort(signal, () => {
      queue.splice(queue.indexOf(turn), 1);
      reject(signal?.reason);
    });
    queue.push(turn);
  });
}
