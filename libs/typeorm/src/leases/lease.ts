import type { AgentDatabase } from '../database/agent-database.js';
import { errorMessage } from '../database/error-message.js';

export interface LeaseOptions {
  /** Who holds it, at most 64 printable characters; a UUID. */
  readonly owner: string;
  /** How long it lasts without a renewal, in ms; renewed at a third of that. */
  readonly durationMs: number;
}

/**
 * A right that one process holds at a time, by a row of `agent_lease` and the clock of the database. Renewed for as
 * long as it is held; if the process dies it runs out.
 */
export class Lease {
  readonly #database: AgentDatabase;
  readonly #key: string;
  readonly #options: LeaseOptions;
  #renewal: NodeJS.Timeout | undefined;
  #warned = false;

  private constructor(database: AgentDatabase, key: string, options: LeaseOptions) {
    this.#database = database;
    this.#key = key;
    this.#options = options;
    this.#renewLater();
  }

  /** Gives undefined if another holds it. @param key at most 64 printable ASCII characters */
  static async take(database: AgentDatabase, key: string, options: LeaseOptions): Promise<Lease | undefined> {
    const { dialect } = database;
    const table = database.table('agent_lease');
    const until = `${dialect.now} + ${options.durationMs}`;
    const { affected } = await database.query(
      `${dialect.insertIgnore} ${table} (lease_key, owner, lease_until) VALUES (?, ?, ${until})${dialect.insertIgnoreSuffix}`,
      [key, options.owner],
    );
    if (affected === 1) return new Lease(database, key, options);
    const taken = await database.query(
      `UPDATE ${table} SET owner = ?, lease_until = ${until} WHERE lease_key = ? AND lease_until <= ${dialect.now}`,
      [options.owner, key],
    );
    return taken.affected === 1 ? new Lease(database, key, options) : undefined;
  }

  /** Gives it back. Never fails: a lease that cannot be given back runs out. */
  async release(): Promise<void> {
    clearTimeout(this.#renewal);
    this.#renewal = undefined;
    try {
      await this.#database.query(
        `DELETE FROM ${this.#database.table('agent_lease')} WHERE lease_key = ? AND owner = ?`,
        [this.#key, this.#options.owner],
      );
    } catch (error) {
      this.#warn(`could not be given back and runs out by itself: ${errorMessage(error)}`);
    }
  }

  #renewLater(): void {
    this.#renewal = setTimeout(() => void this.#renew(), this.#options.durationMs / 3).unref();
  }

  async #renew(): Promise<void> {
    const timer = this.#renewal;
    const { dialect } = this.#database;
    try {
      const { affected } = await this.#database.query(
        `UPDATE ${this.#database.table('agent_lease')} SET lease_until = ${dialect.now} + ${this.#options.durationMs} ` +
          `WHERE lease_key = ? AND owner = ?`,
        [this.#key, this.#options.owner],
      );
      if (affected === 0 && this.#renewal === timer) {
        this.#renewal = undefined;
        this.#warn('ran out and another has taken it');
      }
      this.#warned = false;
    } catch (error) {
      // Nobody will ever give it back.
      if (this.#database.closed) return;
      if (!this.#warned) this.#warn(`could not be renewed: ${errorMessage(error)}`);
      this.#warned = true;
    }
    // Released meanwhile: no more.
    if (this.#renewal === timer && timer) this.#renewLater();
  }

  #warn(what: string): void {
    this.#database.logger.warn(`The lease ${this.#key} ${what}`);
  }
}
