import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import { insertRows } from '../database/insert-rows.js';
import type { SqlExecutor, SqlValue } from '../database/sql-executor.js';
import { storageKey } from '../database/storage-key.js';
import type { JournalEventType, NewJournalEvent } from './journal-event.js';

/** An event with its number in its run. */
export interface JournalRow {
  readonly event: NewJournalEvent;
  readonly sequenceNumber: number;
}

export const JOURNAL_COLUMNS = [
  'execution_id',
  'sequence_number',
  'event_type',
  'timestamp',
  'graph_name',
  'node_id',
  'operator_ref',
  'payload',
];

const LONGEST_NAME = 255;

/** The table as its writer uses it. */
export type JournalTarget = Pick<JournalTable, 'insert' | 'insertOnce' | 'lastSequences' | 'ping'>;

/** The writing side of `agent_execution_event`. */
export class JournalTable {
  readonly #database: AgentDatabase;
  readonly #table: string;

  constructor(database: AgentDatabase) {
    this.#database = database;
    this.#table = database.table('agent_execution_event');
  }

  /** All of them or none, 200 rows at most at once. @param executor a transaction they belong to */
  async insert(rows: readonly JournalRow[], executor: SqlExecutor = this.#database): Promise<void> {
    await insertRows(executor, `INSERT INTO ${this.#table}`, JOURNAL_COLUMNS, rows.map(valuesOf));
  }

  /** As `insert`, for rows of which some may be there already. @param executor the transaction they belong to */
  async insertAgain(rows: readonly JournalRow[], executor: SqlExecutor): Promise<void> {
    const { insertIgnore, insertIgnoreSuffix } = this.#database.dialect;
    const insert = `${insertIgnore} ${this.#table}`;
    await insertRows(executor, insert, JOURNAL_COLUMNS, rows.map(valuesOf), insertIgnoreSuffix);
  }

  /**
   * For a row that may be there already, because the answer to an earlier attempt was lost.
   * @returns false if the number is taken by another event
   */
  async insertOnce(row: JournalRow): Promise<boolean> {
    const { insertIgnore, insertIgnoreSuffix } = this.#database.dialect;
    const values = valuesOf(row);
    const inserted = await insertRows(
      this.#database,
      `${insertIgnore} ${this.#table}`,
      JOURNAL_COLUMNS,
      [values],
      insertIgnoreSuffix,
    );
    if (inserted === 1) return true;
    const { rows } = await this.#database.query(
      `SELECT event_type, timestamp, payload FROM ${this.#table} WHERE execution_id = ? AND sequence_number = ?`,
      values.slice(0, 2),
    );
    const found = rows[0];
    return (
      found !== undefined &&
      textOf(found['event_type']) === row.event.type &&
      numberOf(found['timestamp']) === row.event.timestamp &&
      textOf(found['payload']) === row.event.payload
    );
  }

  /** The last number of each run; 0 for runs without rows. */
  async lastSequences(
    executionIds: readonly string[],
    executor: SqlExecutor = this.#database,
  ): Promise<ReadonlyMap<string, number>> {
    const keys = executionIds.map(storageKey);
    const { rows } = await executor.query(
      `SELECT execution_id, MAX(sequence_number) AS last FROM ${this.#table} ` +
        `WHERE execution_id IN (${keys.map(() => '?').join(', ')}) GROUP BY execution_id`,
      keys,
    );
    const byKey = new Map(rows.map((row) => [textOf(row['execution_id']), numberOf(row['last'])]));
    return new Map(executionIds.map((id) => [id, byKey.get(storageKey(id)) ?? 0]));
  }

  /** The payloads of a run's events of a type, in their order, as they were written: redacted and cut. */
  async payloads(
    executionId: string,
    type: JournalEventType,
    executor: SqlExecutor,
  ): Promise<readonly string[]> {
    const { rows } = await executor.query(
      `SELECT payload FROM ${this.#table} WHERE execution_id = ? AND event_type = ? ORDER BY sequence_number`,
      [storageKey(executionId), type],
    );
    return rows.map((row) => textOf(row['payload']));
  }

  /** Rejects if the database does not answer at all. */
  async ping(): Promise<void> {
    await this.#database.query('SELECT 1');
  }
}

function valuesOf({ event, sequenceNumber }: JournalRow): SqlValue[] {
  return [
    storageKey(event.executionId),
    sequenceNumber,
    event.type,
    event.timestamp,
    event.graphName.slice(0, LONGEST_NAME),
    event.nodeId.slice(0, LONGEST_NAME),
    event.operatorRef.slice(0, LONGEST_NAME),
    event.payload,
  ];
}
