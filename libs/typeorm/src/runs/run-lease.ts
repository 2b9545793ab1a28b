import { AgentException } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { errorMessage } from '../database/error-message.js';
import { outlast } from '../database/outlast.js';
import type { SqlExecutor, SqlValue } from '../database/sql-executor.js';
import { runTransaction } from './run-transaction.js';

/** Beyond this part of a lease nobody can be sure any more that nobody else has the run. */
const SAFE_PART = 0.8;
const LONGEST_RENEWAL_PAUSE_MS = 1_000;
const TOO_LATE = 'was not renewed in time, and may belong to somebody else';

/** The right to write one run, as it was given out. */
export interface RunHolder {
  readonly runId: string;
  /** Grows with every holder of the run. */
  readonly fence: number;
  readonly owner: string;
}

/** What a write changes in the row of the run: `, turn = ?` and the values for it. */
export interface RunChange {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** What is done in the transaction of a change. */
export type RunWork = (transaction: SqlExecutor) => Promise<void>;

/** Somebody has asked to end the run. */
class CancelledRun extends AgentException {
  constructor(runId: string) {
    super(`Run "${runId}" was cancelled by request.`, { code: 'cancelled' });
  }
}

/**
 * The lease of one run. Renewed at a third of its time by the database's clock, for as long as it is held; given up
 * at four fifths if it cannot be renewed. Every write is made through it, and first of all proves that it is valid.
 */
export class RunLease {
  readonly holder: RunHolder;
  readonly #database: AgentDatabase;
  readonly #durationMs: number;
  readonly #lost = new AbortController();
  readonly #whenOver: () => void;
  #renewal: NodeJS.Timeout | undefined;
  #limit: NodeJS.Timeout | undefined;
  /** By `performance.now()`. */
  #safeUntil = 0;
  #over: AgentException | undefined;
  #cancelled = false;
  #warned = false;

  /**
   * @param grantedAt `performance.now()` before the statement that granted it
   * @param whenOver is called once it is held no more
   */
  constructor(
    database: AgentDatabase,
    holder: RunHolder,
    durationMs: number,
    grantedAt: number,
    whenOver: () => void,
  ) {
    this.#database = database;
    this.holder = holder;
    this.#durationMs = durationMs;
    this.#whenOver = whenOver;
    this.#arm(grantedAt);
  }

  /** True once nothing can be written any more. */
  get over(): boolean {
    return this.#over !== undefined;
  }

  /** Aborts when the lease is lost, or the run is to be left to others. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** True if the run is to be ended, by request, and not to be left to others. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Asks whoever executes the run to leave it; writes go on until then. */
  askToLeave(reason: Error): void {
    this.#lost.abort(reason);
  }

  /**
   * Changes the run's row and does `work` with it: all in one transaction, whose first statement finds out whether
   * the lease still holds. May be done twice when an answer of the database was lost, so both must be repeatable.
   * @throws AgentException `lease_lost` if another has the run, and nothing is written then; or if the lease may
   * have run out meanwhile, as in a process that stood still: what was written stands, but must not be acted on
   */
  async write(change: RunChange, work?: RunWork): Promise<void> {
    // What was done is recorded, though nothing more is to be done.
    await this.#commit(change, work, this.#uncancelled).catch((error: unknown) => {
      if (!(error instanceof CancelledRun)) throw error;
      return this.#commit(change, work, '');
    });
    if (performance.now() > this.#safeUntil) throw this.#lose(TOO_LATE);
  }

  /** The last write: the lease ends with it. */
  finish(change: RunChange, work?: RunWork): Promise<void> {
    return this.#last(change, work, '');
  }

  /**
   * As `finish`, for a change that is not to be made if somebody has asked meanwhile to end the run.
   * @throws AgentException `cancelled` then, and the lease goes on
   */
  finishUnlessCancelled(change: RunChange, work?: RunWork): Promise<void> {
    return this.#last(change, work, this.#uncancelled);
  }

  /** Renews no more and refuses every further write. What the database has of it runs out by itself. */
  end(what: string): AgentException {
    if (this.#over) return this.#over;
    this.#over = new AgentException(
      `Run "${this.holder.runId}" ${what}: this holder can write nothing more. ` +
        `Whoever claims it goes on from what is recorded.`,
      { code: 'lease_lost' },
    );
    clearTimeout(this.#renewal);
    clearTimeout(this.#limit);
    this.#whenOver();
    return this.#over;
  }

  async #last(change: RunChange, work: RunWork | undefined, condition: string): Promise<void> {
    try {
      await this.#commit(change, work, condition);
    } catch (error) {
      // Who was asked to leave and cannot say so has left all the same: its lease runs out.
      if (this.lost.aborted && !(error instanceof CancelledRun)) this.end('could not be left in its row');
      throw error;
    }
    this.end('has been left');
  }

  /** A database that is away is waited for, as long as the lease lasts. @param condition SQL */
  #commit(change: RunChange, work: RunWork | undefined, condition: string): Promise<void> {
    const check = (): void => {
      if (this.#over) throw this.#over;
    };
    const attempt = async (): Promise<void> => {
      if (!work) return this.#change(this.#database, change, condition);
      return runTransaction(this.#database, async (transaction) => {
        await this.#change(transaction, change, condition);
        await work(transaction);
      });
    };
    return outlast(this.#database, attempt, { check, signal: this.lost });
  }

  async #change(executor: SqlExecutor, { sql, values }: RunChange, condition: string): Promise<void> {
    const { runId, fence, owner } = this.holder;
    const { affected } = await executor.query(
      `UPDATE ${this.#database.table('agent_run')} ` +
        `SET version = version + 1, updated_at = ${this.#database.dialect.now}${sql} ` +
        `WHERE id = ? AND fence = ? AND lease_owner = ?${condition}`,
      [...values, runId, fence, owner],
    );
    if (affected === 1) return;
    if (condition === '' || !(await this.#isCancelled(executor))) {
      throw this.#lose('was taken over by somebody else');
    }
    this.#cancel();
    throw new CancelledRun(runId);
  }

  /** SQL: nothing once it is known that the run is to be ended. */
  get #uncancelled(): string {
    return this.#cancelled ? '' : ' AND cancel_requested_at IS NULL';
  }

  #lose(what: string): AgentException {
    const reason = this.end(what);
    this.#lost.abort(reason);
    return reason;
  }

  #arm(grantedAt: number): void {
    clearTimeout(this.#limit);
    this.#safeUntil = grantedAt + this.#durationMs * SAFE_PART;
    const left = this.#safeUntil - performance.now();
    this.#limit = setTimeout(() => void this.#lose(TOO_LATE), left).unref();
    this.#renewAfter(this.#durationMs / 3);
  }

  #renewAfter(ms: number): void {
    this.#renewal = setTimeout(() => void this.#renew(), ms).unref();
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    const { runId, fence, owner } = this.holder;
    const { dialect } = this.#database;
    const askedAt = performance.now();
    try {
      const { affected } = await this.#database.query(
        `UPDATE ${this.#database.table('agent_run')} SET lease_until = ${dialect.now} + ? ` +
          `WHERE id = ? AND fence = ? AND lease_owner = ? AND status = 'running'${this.#uncancelled}`,
        [this.#durationMs, runId, fence, owner],
      );
      if (this.#over) return;
      this.#warned = false;
      if (affected === 1) this.#arm(askedAt);
      else if (!this.#cancelled && (await this.#isCancelled(this.#database))) this.#cancel();
      else this.#lose('was taken over by somebody else');
    } catch (error) {
      if (this.#over) return;
      if (this.#database.closed) return void this.#lose('has lost its database, which was closed');
      if (!this.#warned) {
        this.#database.logger.warn(
          `The lease of run ${runId} could not be renewed yet: ${errorMessage(error)}`,
        );
      }
      this.#warned = true;
      this.#renewAfter(Math.min(this.#durationMs / 10, LONGEST_RENEWAL_PAUSE_MS));
    }
  }

  async #isCancelled(executor: SqlExecutor): Promise<boolean> {
    const { runId, fence, owner } = this.holder;
    const { rows } = await executor.query(
      `SELECT id FROM ${this.#database.table('agent_run')} ` +
        `WHERE id = ? AND fence = ? AND lease_owner = ? AND cancel_requested_at IS NOT NULL`,
      [runId, fence, owner],
    );
    return rows.length === 1;
  }

  /** The lease goes on, for the end of the run is still to be written. */
  #cancel(): void {
    if (this.#over || this.#cancelled) return;
    this.#cancelled = true;
    this.#lost.abort('cancelled by request');
    this.#renewAfter(0);
  }
}
