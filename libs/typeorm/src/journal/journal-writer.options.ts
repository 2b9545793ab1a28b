/** What a failing database does to a run. */
export type JournalMode =
  /** Nothing: what cannot be written is retried, in the end dropped, and counted. */
  | 'best-effort'
  /** `settled` rejects once an event is lost, and with it the run that awaits it. */
  | 'strict';

export interface JournalWriterOptions {
  /** Default `best-effort`. */
  readonly mode?: JournalMode;
  /** Events in memory at most, >= 1; more are dropped. Default 10,000. */
  readonly maxQueuedRows?: number;
  /** Characters in memory at most. Default 32 Mi. */
  readonly maxQueuedCharacters?: number;
  /** How long an event waits for others to be written with, in ms. Default 25. */
  readonly maxDelayMs?: number;
  /** How often an event is tried that the database refuses while it answers, >= 1. Default 5. */
  readonly attempts?: number;
  /** How long one statement may take, in ms; after that it counts as failed. Default 10,000. */
  readonly writeTimeoutMs?: number;
  /** How long strict runs wait for a database that does not answer, in ms. Default 10,000. */
  readonly strictTimeoutMs?: number;
}

export const JOURNAL_WRITER_DEFAULTS: Required<JournalWriterOptions> = Object.freeze({
  mode: 'best-effort',
  maxQueuedRows: 10_000,
  maxQueuedCharacters: 32 * 1024 * 1024,
  maxDelayMs: 25,
  attempts: 5,
  writeTimeoutMs: 10_000,
  strictTimeoutMs: 10_000,
});
