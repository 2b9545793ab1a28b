import { errorMessage } from '../database/error-message.js';
import { pause } from '../waiting/pause.js';
import { within } from '../waiting/within.js';
import type { JournalWriterOptions } from './journal-writer.options.js';
import type { QueuedEvent } from './journal.queue.js';
import type { JournalRow, JournalTarget } from './journal.table.js';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

/** Hears what became of events. */
export interface InsertReport {
  written(events: readonly QueuedEvent[]): void;
  dropped(event: QueuedEvent, reason: string): void;
  /** An attempt failed; nothing is lost yet. */
  failed(reason: string): void;
}

type InsertOptions = Required<
  Pick<JournalWriterOptions, 'mode' | 'attempts' | 'writeTimeoutMs' | 'strictTimeoutMs'>
>;

/**
 * Brings batches into the table: at once if it can, else row by row. A database that does not answer is waited for;
 * one that answers and refuses a row is tried a few times, then that row is dropped.
 */
export class PersistentInsert {
  readonly #table: JournalTarget;
  readonly #options: InsertOptions;
  readonly #report: InsertReport;
  readonly #stop: AbortSignal;
  /** Attempts per row: few for the rows behind one that was refused to the end. */
  #patience: number;

  /** @param stop when it aborts, what is not written yet is dropped */
  constructor(table: JournalTarget, options: InsertOptions, report: InsertReport, stop: AbortSignal) {
    this.#table = table;
    this.#options = options;
    this.#report = report;
    this.#stop = stop;
    this.#patience = options.attempts;
  }

  /** Never rejects. */
  async insert(batch: readonly QueuedEvent[]): Promise<void> {
    const { mode, strictTimeoutMs } = this.#options;
    const giveUpAt = Date.now() + (mode === 'strict' ? strictTimeoutMs : Infinity);
    try {
      await this.#bounded(async () => {
        await this.#number(batch);
        await this.#table.insert(batch.map(rowOf));
      });
      this.#patience = this.#options.attempts;
      this.#report.written(batch);
    } catch (error) {
      this.#report.failed(errorMessage(error));
      for (const queued of batch) {
        // Who has waited in vain for the first does not wait for each of the others.
        if (Date.now() >= giveUpAt) this.#report.dropped(queued, errorMessage(error));
        else await this.#insertOne(queued, giveUpAt);
      }
    }
  }

  async #insertOne(queued: QueuedEvent, giveUpAt: number): Promise<void> {
    let refusals = 0;
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const problem = await this.#tryOne(queued);
      if (problem === undefined) return;
      if (await this.#answers()) refusals += 1;
      if (refusals >= this.#patience || this.#stop.aborted || Date.now() >= giveUpAt) {
        // What refuses one row for good will mostly refuse the next.
        if (refusals > 0) this.#patience = 1;
        this.#report.dropped(queued, problem);
        return;
      }
      await pause(wait, this.#stop).catch(() => {});
    }
  }

  /** Gives what went wrong. */
  async #tryOne(queued: QueuedEvent): Promise<string | undefined> {
    try {
      const taken = await this.#bounded(async () => {
        await this.#number([queued]);
        return !(await this.#table.insertOnce(rowOf(queued)));
      });
      if (taken) return `number ${rowOf(queued).sequenceNumber} is taken by an event of another process`;
    } catch (error) {
      this.#report.failed(errorMessage(error));
      return errorMessage(error);
    }
    this.#patience = this.#options.attempts;
    this.#report.written([queued]);
    return undefined;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#bounded(() => this.#table.ping());
      return true;
    } catch {
      return false;
    }
  }

  /** Learns where the runs stand of which this process has written nothing yet. */
  async #number(batch: readonly QueuedEvent[]): Promise<void> {
    const runs = new Set(batch.map(({ run }) => run).filter(({ base }) => base === undefined));
    if (runs.size === 0) return;
    const last = await this.#table.lastSequences([...runs].map(({ executionId }) => executionId));
    for (const run of runs) run.base = last.get(run.executionId) ?? 0;
  }

  /** A statement that takes too long counts as failed, though it may still succeed. */
  async #bounded<T>(work: () => Promise<T>): Promise<T> {
    this.#stop.throwIfAborted();
    const { writeTimeoutMs } = this.#options;
    const late = (): Error => new Error(`the database did not answer within ${writeTimeoutMs} ms`);
    return within(writeTimeoutMs, work(), late, this.#stop);
  }
}

function rowOf({ event, run, ordinal }: QueuedEvent): JournalRow {
  return { event, sequenceNumber: (run.base ?? 0) + ordinal };
}
