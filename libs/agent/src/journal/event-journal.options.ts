/** The injection token of what `forRoot` was told about the journal. */
export const EVENT_JOURNAL_OPTIONS = Symbol.for('nestor.event-journal-options');

export interface EventJournalOptions {
  /** Default false. */
  readonly enabled: boolean;
  /** `best-effort`: a database that fails never fails a run. `strict`: a run whose events are lost fails. Default `best-effort`. */
  readonly mode?: 'best-effort' | 'strict';
  /** What is taken out beside what looks like a secret. */
  readonly redaction?: {
    /** More names of fields whose values are secrets, e.g. `['iban']`. */
    readonly names?: readonly string[];
    readonly patterns?: readonly RegExp[];
    /** Called with each payload last; what it gives is kept. */
    readonly hook?: (
      payload: Readonly<Record<string, unknown>>,
      type: string,
    ) => Readonly<Record<string, unknown>> | undefined;
  };
}

/** Where the tables are: an address such as `sqlite:data/agent.db` or `postgres://…`, or the options of a TypeORM DataSource. */
export type AgentDatabaseLocation =
  | { readonly url: string; readonly schema?: string; readonly poolSize?: number }
  | { readonly type: string; readonly [option: string]: unknown };

export interface JournalCounters {
  readonly appended: number;
  readonly written: number;
  /** Lost for good. */
  readonly dropped: number;
  readonly queued: number;
  readonly lastError: string | undefined;
}

/** As much of the bridge as a strict run needs. */
export interface SettlingBridge {
  settled(executionId: string): Promise<unknown>;
}
