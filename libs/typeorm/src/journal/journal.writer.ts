import type { AgentLogger } from '@nestor/core';
import type { NewJournalEvent } from './journal-event.js';
import type { JournalReceipt, JournalRun } from './journal-run.js';
import { JournalRuns } from './journal-runs.js';
import { JOURNAL_WRITER_DEFAULTS, type JournalWriterOptions } from './journal-writer.options.js';
import { JournalException } from './journal.exception.js';
import { JournalQueue, type QueuedEvent } from './journal.queue.js';
import type { JournalTarget } from './journal.table.js';
import { PersistentInsert } from './persistent-insert.js';

/** `appended = written + dropped + queued`, at any moment. */
export interface JournalCounters {
  readonly appended: number;
  readonly written: number;
  /** Lost for good. */
  readonly dropped: number;
  /** In memory, or under way to the database. */
  readonly queued: number;
  /** Attempts that failed, retries included. */
  readonly failures: number;
  /** The latest error; undefined while all is well. */
  readonly lastError: string | undefined;
}

/** Writes events in the background, in batches, in the order in which they were appended. */
export class JournalWriter {
  readonly #options: Required<JournalWriterOptions>;
  readonly #logger: AgentLogger;
  readonly #queue: JournalQueue;
  readonly #runs = new JournalRuns();
  readonly #insert: PersistentInsert;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #appended = 0;
  #written = 0;
  #dropped = 0;
  #failures = 0;
  #lastError: string | undefined;
  /** Events dropped since the database last took one. */
  #lostInARow = 0;

  constructor(table: JournalTarget, logger: AgentLogger, options: JournalWriterOptions = {}) {
    this.#options = { ...JOURNAL_WRITER_DEFAULTS, ...options };
    this.#logger = logger;
    this.#queue = new JournalQueue(this.#options.maxQueuedRows, this.#options.maxQueuedCharacters);
    this.#insert = new PersistentInsert(
      table,
      this.#options,
      {
        written: (events) => this.#onWritten(events),
        dropped: (queued, reason) => this.#onDropped(queued, reason),
        failed: (reason) => this.#onFailed(reason),
      },
      this.#stop.signal,
    );
  }

  /** Takes an event; never waits, never throws. @param last the run has no more events */
  append(event: NewJournalEvent, last = false): void {
    const run = this.#runs.open(event.executionId);
    run.appended += 1;
    run.exited ||= last;
    this.#appended += 1;
    const queued = { event, run, ordinal: run.appended };
    if (this.#closing) this.#onDropped(queued, 'the journal is closed');
    else if (!this.#queue.push(queued)) this.#onDropped(queued, this.#lastError ?? 'the queue is full');
    else if (this.#queue.ripe) this.#wake();
    else this.#timer ??= setTimeout(() => this.#wake(), this.#options.maxDelayMs);
  }

  /**
   * Waits until all that is appended of a run by now has been written or dropped, and tells which. A strict run
   * awaits this before it acts on an answer of the model and before it ends. A best-effort run need not: it never
   * rejects there, and while the database does not answer it does not resolve.
   * @throws JournalException in strict mode, if an event of the run is lost
   */
  async settled(executionId: string): Promise<JournalReceipt> {
    const run = this.#runs.find(executionId);
    if (!run) return { written: 0, dropped: 0, complete: true };
    this.#wake();
    await run.settled();
    const receipt = run.receipt();
    this.#runs.forget(run);
    if (this.#options.mode === 'strict' && !receipt.complete) {
      throw new JournalException(executionId, receipt.dropped, run.lostFor ?? 'the queue was full');
    }
    return receipt;
  }

  /** What became of a run's events so far, without waiting; undefined once all are written and the run is over. */
  receipt(executionId: string): JournalReceipt | undefined {
    return this.#runs.find(executionId)?.receipt();
  }

  counters(): JournalCounters {
    return {
      appended: this.#appended,
      written: this.#written,
      dropped: this.#dropped,
      queued: this.#appended - this.#written - this.#dropped,
      failures: this.#failures,
      lastError: this.#lastError,
    };
  }

  /** Waits until nothing is queued; as long as the database is away, if it must be. */
  async flush(): Promise<void> {
    this.#wake();
    while (this.#draining) await this.#draining;
  }

  /**
   * Writes what is queued and takes nothing more; what the database has not taken by then is dropped, and counted.
   * @param timeoutMs how long it may take, in ms. Default 5,000.
   */
  close(timeoutMs = 5_000): Promise<void> {
    this.#closing ??= this.#end(timeoutMs);
    return this.#closing;
  }

  async #end(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(new Error('the journal was closed')), timeoutMs);
    await this.flush();
    clearTimeout(timer);
    if (this.#dropped === 0) return;
    this.#logger.error(`The journal lost ${this.#dropped} of ${this.#appended} events: ${this.#lastError}`);
  }

  #wake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#draining || this.#queue.size === 0) return;
    // `finally` runs later than this assignment, however quickly the work is done.
    this.#draining = this.#drain().finally(() => {
      this.#draining = undefined;
      this.#wake();
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.size > 0) await this.#insert.insert(this.#queue.take());
  }

  #onWritten(events: readonly QueuedEvent[]): void {
    this.#written += events.length;
    for (const { run } of events) this.#settle(run, 'written');
    if (this.#lastError === undefined || this.#stop.signal.aborted) return;
    this.#logger.warn(`The journal is written again; ${this.#lostInARow} events were lost meanwhile.`);
    this.#lastError = undefined;
    this.#lostInARow = 0;
  }

  #onDropped({ run }: QueuedEvent, reason: string): void {
    this.#onProblem(reason);
    this.#dropped += 1;
    this.#lostInARow += 1;
    run.lostFor = reason;
    this.#settle(run, 'dropped');
  }

  #onFailed(reason: string): void {
    this.#failures += 1;
    this.#onProblem(reason);
  }

  /** Once for a whole outage: it may last for hours. */
  #onProblem(reason: string): void {
    if (this.#lastError === undefined) {
      this.#logger.warn(`The journal cannot be written: ${reason}`);
    }
    this.#lastError = reason;
  }

  #settle(run: JournalRun, outcome: 'written' | 'dropped'): void {
    run.settle(outcome);
    this.#runs.leave(run);
  }
}
