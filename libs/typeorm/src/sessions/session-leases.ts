import { randomUUID } from 'node:crypto';
import { SessionBusyException, SessionLock, type SessionLockOptions } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { hashKey } from '../database/storage-key.js';
import { Lease } from '../leases/lease.js';
import { pause } from '../waiting/pause.js';

const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 500;

/** One holder per session among all processes: those of this one stand in line, their first asks the database. */
export class SessionLeases {
  readonly #database: AgentDatabase;
  readonly #leaseMs: number;
  readonly #line = new SessionLock();
  /** Leases on their way back. */
  readonly #releasing = new Map<string, Promise<void>>();

  /** @param leaseMs how long a session stays locked after the death of its process, in ms */
  constructor(database: AgentDatabase, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** As `ConversationStore.lock`. */
  async acquire(sessionId: string, options: SessionLockOptions = {}): Promise<() => void> {
    const leave = await this.#line.acquire(sessionId, options);
    try {
      // Our own last lease may still be there: that is no reason to be refused.
      await this.#releasing.get(sessionId);
      const lease = await this.#take(sessionId, options);
      let held = true;
      return () => {
        if (held) this.#release(sessionId, lease);
        held = false;
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Removes the rows that nobody holds any more. */
  async removeExpired(): Promise<void> {
    const { dialect } = this.#database;
    await this.#database.query(
      `DELETE FROM ${this.#database.table('agent_lease')} WHERE lease_until <= ${dialect.now}`,
    );
  }

  async #take(sessionId: string, { whenBusy, signal }: SessionLockOptions): Promise<Lease> {
    const key = hashKey(`session:${sessionId}`);
    // Of its own each time: what an earlier holder still does must not touch this one.
    const options = { owner: randomUUID(), durationMs: this.#leaseMs };
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(wait * 1.5, LONGEST_POLL_MS)) {
      signal?.throwIfAborted();
      const lease = await Lease.take(this.#database, key, options);
      if (lease) return lease;
      if (whenBusy === 'refuse') throw new SessionBusyException(sessionId);
      await pause(wait, signal);
    }
  }

  #release(sessionId: string, lease: Lease): void {
    const releasing = lease.release().then(() => {
      if (this.#releasing.get(sessionId) === releasing) this.#releasing.delete(sessionId);
    });
    this.#releasing.set(sessionId, releasing);
  }
}
