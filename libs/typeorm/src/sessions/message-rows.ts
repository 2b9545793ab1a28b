import type { LlmMessage } from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf } from '../database/column-value.js';
import { insertRows } from '../database/insert-rows.js';
import type { SqlExecutor } from '../database/sql-executor.js';
import { storageKey } from '../database/storage-key.js';

const MESSAGE_COLUMNS = ['session_key', 'sequence_number', 'run_id', 'role', 'payload', 'created_at'];

/** The messages of the sessions, in `agent_message`. */
export class MessageRows {
  readonly #database: AgentDatabase;
  readonly #maxMessages: number | undefined;
  readonly #sessions: string;
  readonly #messages: string;

  /** @param maxMessages kept per session */
  constructor(database: AgentDatabase, maxMessages: number | undefined) {
    this.#database = database;
    this.#maxMessages = maxMessages;
    this.#sessions = database.table('agent_session');
    this.#messages = database.table('agent_message');
  }

  /** The number of the first message that a run has appended; undefined if there is none. */
  async startOf(
    key: string,
    runId: string,
    executor: SqlExecutor = this.#database,
  ): Promise<number | undefined> {
    const { rows } = await executor.query(
      `SELECT MIN(sequence_number) AS first FROM ${this.#messages} WHERE session_key = ? AND run_id = ?`,
      [key, storageKey(runId)],
    );
    const first = rows[0]?.['first'];
    return first === null || first === undefined ? undefined : numberOf(first);
  }

  /** @param transaction has counted the messages in the row of the session, and thereby locked it */
  async insert(
    transaction: SqlExecutor,
    key: string,
    messages: readonly LlmMessage[],
    runId: string | undefined,
  ): Promise<void> {
    // The row is locked: nobody else gives numbers now.
    const { rows } = await transaction.query(
      `SELECT last_sequence, message_count, updated_at FROM ${this.#sessions} WHERE session_key = ?`,
      [key],
    );
    const [last, count, now] = ['last_sequence', 'message_count', 'updated_at'].map((name) =>
      numberOf(rows[0]?.[name]),
    );
    if (last === undefined || count === undefined || now === undefined) return;
    const first = last - messages.length + 1;
    const runKey = runId === undefined ? null : storageKey(runId);
    await insertRows(
      transaction,
      `INSERT INTO ${this.#messages}`,
      MESSAGE_COLUMNS,
      messages.map((message, index) => [
        key,
        first + index,
        runKey,
        message.role,
        JSON.stringify(message),
        now,
      ]),
    );
    const most = this.#maxMessages;
    if (most !== undefined && count > most) await this.#cut(transaction, key, last - most + 1);
  }

  /** Leaves out what stands before a sequence number, and then the results whose calls went. */
  async #cut(transaction: SqlExecutor, key: string, from: number): Promise<void> {
    const { rows } = await transaction.query(
      `SELECT MIN(sequence_number) AS start FROM ${this.#messages} ` +
        `WHERE session_key = ? AND sequence_number >= ? AND role <> 'tool'`,
      [key, from],
    );
    const start = rows[0]?.['start'] ?? from;
    const { affected } = await transaction.query(
      `DELETE FROM ${this.#messages} WHERE session_key = ? AND sequence_number < ?`,
      [key, numberOf(start)],
    );
    await transaction.query(
      `UPDATE ${this.#sessions} SET message_count = message_count - ? WHERE session_key = ?`,
      [affected, key],
    );
  }
}
