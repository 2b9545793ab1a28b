import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import type { SqlRow, SqlValue } from '../database/sql-executor.js';
import { storageKey } from '../database/storage-key.js';
import { pause } from '../waiting/pause.js';
import { cursorOf, placeOf } from './journal-cursor.js';
import type { JournalEvent, JournalEventType, JournalPayload } from './journal-event.js';
import { JOURNAL_COLUMNS } from './journal.table.js';

export interface JournalQuery {
  readonly runId?: string;
  readonly type?: JournalEventType;
  /** Epoch ms, included. */
  readonly from?: number;
  /** Epoch ms, not included. */
  readonly to?: number;
  /** The `next` of the page before. */
  readonly after?: string;
  /** 1 to 1,000. Default 100. */
  readonly limit?: number;
}

export interface JournalPage {
  /** By time; those of one run by their number. */
  readonly events: readonly JournalEvent[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

export interface JournalStreamOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
}

export interface JournalVerification {
  readonly events: number;
  readonly last: number;
  /** Ranges of numbers that are missing, the first hundred. */
  readonly missing: readonly { readonly from: number; readonly to: number }[];
  /** True if the run's end is there. */
  readonly exited: boolean;
  /** True if nothing is missing between 1 and the last. */
  readonly complete: boolean;
}

const DEFAULT_LIMIT = 100;
const HIGHEST_LIMIT = 1_000;
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 1_000;
const PURGED_RUNS = 100;
const MISSING_RANGES = 100;

/** Reads the journal. */
export class EventJournal {
  readonly #database: AgentDatabase;
  readonly #table: string;
  readonly #select: string;

  constructor(database: AgentDatabase) {
    this.#database = database;
    this.#table = database.table('agent_execution_event');
    this.#select = `SELECT ${JOURNAL_COLUMNS.join(', ')} FROM ${this.#table}`;
  }

  /** @throws AgentException `invalid_cursor` */
  async list(query: JournalQuery = {}): Promise<JournalPage> {
    const limit = Math.min(Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT)), HIGHEST_LIMIT);
    const { conditions, parameters } = conditionsOf(query);
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    // Never by time alone: many events share a millisecond.
    const order = query.runId === undefined ? 'timestamp, execution_id, sequence_number' : 'sequence_number';
    const { rows } = await this.#database.query(`${this.#select}${where} ORDER BY ${order} LIMIT ?`, [
      ...parameters,
      limit + 1,
    ]);
    const events = rows.slice(0, limit).map(eventOf);
    const last = events.at(-1);
    return { events, next: rows.length > limit && last ? cursorOf(last) : undefined };
  }

  /**
   * The events of a run as they are written, from any process, until the run's end or the signal's abort.
   * @param fromSequence the first number wanted. Default 1.
   */
  async *stream(
    runId: string,
    fromSequence = 1,
    { signal }: JournalStreamOptions = {},
  ): AsyncGenerator<JournalEvent, void, void> {
    let next = fromSequence;
    let wait = FIRST_POLL_MS;
    for (;;) {
      if (signal?.aborted) return;
      const events = await this.#from(runId, next);
      for (const event of events) {
        next = event.sequenceNumber + 1;
        yield event;
        if (event.type === 'AGENT_LOOP_EXITED') return;
      }
      wait = events.length > 0 ? FIRST_POLL_MS : Math.min(wait * 1.5, LONGEST_POLL_MS);
      if (events.length < HIGHEST_LIMIT) await pause(wait, signal).catch(() => {});
    }
  }

  /** Whether the numbers of a run follow one another without a gap. */
  async verify(runId: string): Promise<JournalVerification> {
    const key = storageKey(runId);
    const counted = await this.#database.query(
      `SELECT COUNT(*) AS events, MAX(sequence_number) AS last, ` +
        `SUM(CASE WHEN event_type = 'AGENT_LOOP_EXITED' THEN 1 ELSE 0 END) AS exits ` +
        `FROM ${this.#table} WHERE execution_id = ?`,
      [key],
    );
    const [events = 0, last = 0, exits = 0] = ['events', 'last', 'exits'].map((name) =>
      numberOf(counted.rows[0]?.[name] ?? 0),
    );
    const { rows } = await this.#database.query(
      `SELECT before_it + 1 AS first, sequence_number - 1 AS last FROM (SELECT sequence_number, ` +
        `COALESCE(LAG(sequence_number) OVER (ORDER BY sequence_number), 0) AS before_it ` +
        `FROM ${this.#table} WHERE execution_id = ?) numbered ` +
        `WHERE sequence_number > before_it + 1 ORDER BY sequence_number LIMIT ${MISSING_RANGES}`,
      [key],
    );
    const missing = rows.map((row) => ({ from: numberOf(row['first']), to: numberOf(row['last']) }));
    return { events, last, missing, exited: exits > 0, complete: missing.length === 0 };
  }

  /**
   * Removes the runs whose latest event is older; a run is kept whole or goes whole.
   * @param olderThan epoch ms
   * @returns the number of events removed
   */
  async purge(olderThan: number): Promise<number> {
    let removed = 0;
    for (;;) {
      const { rows } = await this.#database.query(
        `SELECT DISTINCT e.execution_id FROM ${this.#table} e WHERE e.timestamp < ? AND NOT EXISTS ` +
          `(SELECT 1 FROM ${this.#table} n WHERE n.execution_id = e.execution_id AND n.timestamp >= ?) ` +
          `LIMIT ${PURGED_RUNS}`,
        [olderThan, olderThan],
      );
      if (rows.length === 0) return removed;
      const { affected } = await this.#database.query(
        `DELETE FROM ${this.#table} WHERE execution_id IN (${rows.map(() => '?').join(', ')})`,
        rows.map((row) => textOf(row['execution_id'])),
      );
      removed += affected;
    }
  }

  async #from(runId: string, sequence: number): Promise<readonly JournalEvent[]> {
    const { rows } = await this.#database.query(
      `${this.#select} WHERE execution_id = ? AND sequence_number >= ? ORDER BY sequence_number LIMIT ?`,
      [storageKey(runId), sequence, HIGHEST_LIMIT],
    );
    return rows.map(eventOf);
  }
}

function conditionsOf({ runId, type, from, to, after }: JournalQuery): {
  conditions: string[];
  parameters: SqlValue[];
} {
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  const add = (condition: string, ...values: SqlValue[]): void => {
    conditions.push(condition);
    parameters.push(...values);
  };
  if (runId !== undefined) add('execution_id = ?', storageKey(runId));
  if (type !== undefined) add('event_type = ?', type);
  if (from !== undefined) add('timestamp >= ?', from);
  if (to !== undefined) add('timestamp < ?', to);
  if (after === undefined) return { conditions, parameters };
  const { timestamp, executionId, sequenceNumber } = placeOf(after);
  if (runId !== undefined) add('sequence_number > ?', sequenceNumber);
  else {
    add(
      'timestamp >= ? AND (timestamp > ? OR execution_id > ? OR (execution_id = ? AND sequence_number > ?))',
      timestamp,
      timestamp,
      executionId,
      executionId,
      sequenceNumber,
    );
  }
  return { conditions, parameters };
}

function eventOf(row: SqlRow): JournalEvent {
  return {
    executionId: textOf(row['execution_id']),
    sequenceNumber: numberOf(row['sequence_number']),
    type: textOf(row['event_type']) as JournalEventType,
    timestamp: numberOf(row['timestamp']),
    graphName: textOf(row['graph_name']),
    nodeId: textOf(row['node_id']),
    operatorRef: textOf(row['operator_ref']),
    payload: JSON.parse(textOf(row['payload'])) as JournalPayload,
  };
}
