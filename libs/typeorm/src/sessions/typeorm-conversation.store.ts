import {
  SessionConflictException,
  wellFormed,
  type ConversationStore,
  type LlmMessage,
  type SessionLockOptions,
  type SessionSummary,
  type StoredConversation,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import { insertRows } from '../database/insert-rows.js';
import type { SqlExecutor } from '../database/sql-executor.js';
import { hashKey, storageKey } from '../database/storage-key.js';
import { SessionLeases } from './session-leases.js';
import { readMessage } from './stored-message.js';

export interface TypeOrmConversationStoreOptions {
  /** Messages kept per session, >= 1; the oldest go first, a call never without its results. Default: all. */
  readonly maxMessages?: number;
  /** Messages a run starts from, >= 1: the latest ones. Default: all that are kept. */
  readonly loadLimit?: number;
  /** Life of a session without use, in ms. Default: no limit. */
  readonly ttlMs?: number;
  /** How long a session stays locked after the death of the process that ran it, in ms. Default 30,000. */
  readonly leaseMs?: number;
}

const DEFAULT_LEASE_MS = 30_000;
const MESSAGE_COLUMNS = ['session_key', 'sequence_number', 'run_id', 'role', 'payload', 'created_at'];

/** Transcripts in the agent database, shared by all its processes. */
export class TypeOrmConversationStore implements ConversationStore {
  readonly #database: AgentDatabase;
  readonly #options: TypeOrmConversationStoreOptions;
  readonly #leases: SessionLeases;
  readonly #sessions: string;
  readonly #messages: string;
  /** SQL: true for a session that has not run out. */
  readonly #alive: string;

  constructor(database: AgentDatabase, options: TypeOrmConversationStoreOptions = {}) {
    this.#database = database;
    this.#options = options;
    this.#leases = new SessionLeases(database, options.leaseMs ?? DEFAULT_LEASE_MS);
    this.#sessions = database.table('agent_session');
    this.#messages = database.table('agent_message');
    this.#alive =
      options.ttlMs === undefined ? '1 = 1' : `updated_at >= ${database.dialect.now} - ${options.ttlMs}`;
  }

  async load(sessionId: string, runId?: string): Promise<StoredConversation> {
    const { loadLimit } = this.#options;
    const key = hashKey(sessionId);
    const end = runId === undefined ? undefined : await this.#startOf(key, runId);
    // One statement, or the version might belong to other messages. The newest first, for the limit's sake.
    const { rows } = await this.#database.query(
      `SELECT s.version, m.sequence_number, m.payload FROM ${this.#sessions} s ` +
        `LEFT JOIN ${this.#messages} m ON m.session_key = s.session_key ` +
        (end === undefined ? '' : `AND m.sequence_number < ${end} `) +
        `WHERE s.session_key = ? AND ${this.#alive} ORDER BY m.sequence_number DESC` +
        (loadLimit === undefined ? '' : ` LIMIT ${loadLimit}`),
      [key],
    );
    return {
      messages: rows
        .filter(({ payload }) => payload !== null)
        .map((row) => readMessage(sessionId, row))
        .toReversed(),
      version: rows[0] ? numberOf(rows[0]['version']) : 0,
      ...(end !== undefined && { appended: true }),
    };
  }

  append(
    sessionId: string,
    messages: readonly LlmMessage[],
    expectedVersion: number,
    runId?: string,
  ): Promise<number> {
    const key = hashKey(sessionId);
    return this.#database.transaction(async (transaction) => {
      if (expectedVersion === 0) await this.#begin(transaction, key, sessionId);
      const { affected } = await transaction.query(
        `UPDATE ${this.#sessions} SET version = version + 1, message_count = message_count + ?, ` +
          `last_sequence = last_sequence + ?, updated_at = ${this.#database.dialect.now} ` +
          `WHERE session_key = ? AND version = ?`,
        [messages.length, messages.length, key, expectedVersion],
      );
      if (affected === 0) throw await this.#conflict(transaction, key, sessionId, expectedVersion);
      await this.#insert(transaction, key, messages, runId === undefined ? null : storageKey(runId));
      return expectedVersion + 1;
    });
  }

  async delete(sessionId: string): Promise<boolean> {
    const key = hashKey(sessionId);
    return this.#database.transaction(async (transaction) => {
      const { affected } = await transaction.query(`DELETE FROM ${this.#sessions} WHERE session_key = ?`, [
        key,
      ]);
      await transaction.query(`DELETE FROM ${this.#messages} WHERE session_key = ?`, [key]);
      return affected > 0;
    });
  }

  /** Latest appended to first. */
  async list(options: { readonly limit?: number } = {}): Promise<readonly SessionSummary[]> {
    const { rows } = await this.#database.query(
      `SELECT session_id, message_count, updated_at FROM ${this.#sessions} WHERE ${this.#alive} ` +
        `ORDER BY updated_at DESC, session_key LIMIT ?`,
      [options.limit ?? 50],
    );
    return rows.map((row) => ({
      sessionId: textOf(row['session_id']),
      messageCount: numberOf(row['message_count']),
      updatedAt: numberOf(row['updated_at']),
    }));
  }

  lock(sessionId: string, options?: SessionLockOptions): Promise<() => void> {
    return this.#leases.acquire(sessionId, options);
  }

  /**
   * Removes the sessions whose time is over, and what crashed processes left of their locks.
   * @returns the number of sessions; without `ttlMs` there are none
   */
  async removeExpired(): Promise<number> {
    await this.#leases.removeExpired();
    const { rows } = await this.#database.query(
      `SELECT session_key FROM ${this.#sessions} WHERE NOT (${this.#alive})`,
    );
    let removed = 0;
    for (const row of rows) {
      const key = textOf(row['session_key']);
      if (await this.#database.transaction((transaction) => this.#drop(transaction, key))) removed += 1;
    }
    return removed;
  }

  /** The number of the first message that a run has appended; undefined if there is none. */
  async #startOf(key: string, runId: string): Promise<number | undefined> {
    const { rows } = await this.#database.query(
      `SELECT MIN(sequence_number) AS first FROM ${this.#messages} WHERE session_key = ? AND run_id = ?`,
      [key, storageKey(runId)],
    );
    const first = rows[0]?.['first'];
    return first === null || first === undefined ? undefined : numberOf(first);
  }

  /** Makes the row of a session nobody has used, or whose time is over. */
  async #begin(transaction: SqlExecutor, key: string, sessionId: string): Promise<void> {
    const { dialect } = this.#database;
    if (this.#options.ttlMs !== undefined) await this.#drop(transaction, key);
    await transaction.query(
      `${dialect.insertIgnore} ${this.#sessions} ` +
        `(session_key, session_id, version, message_count, last_sequence, created_at, updated_at) ` +
        `VALUES (?, ?, 0, 0, 0, ${dialect.now}, ${dialect.now})${dialect.insertIgnoreSuffix}`,
      [key, wellFormed(sessionId)],
    );
  }

  /** Removes a session if its time is over. */
  async #drop(transaction: SqlExecutor, key: string): Promise<boolean> {
    const { affected } = await transaction.query(
      `DELETE FROM ${this.#sessions} WHERE session_key = ? AND NOT (${this.#alive})`,
      [key],
    );
    if (affected === 0) return false;
    await transaction.query(`DELETE FROM ${this.#messages} WHERE session_key = ?`, [key]);
    return true;
  }

  async #insert(
    transaction: SqlExecutor,
    key: string,
    messages: readonly LlmMessage[],
    runKey: string | null,
  ): Promise<void> {
    // The row is locked by the update before: nobody else gives numbers now.
    const { rows } = await transaction.query(
      `SELECT last_sequence, message_count, updated_at FROM ${this.#sessions} WHERE session_key = ?`,
      [key],
    );
    const [last, count, now] = ['last_sequence', 'message_count', 'updated_at'].map((name) =>
      numberOf(rows[0]?.[name]),
    );
    if (last === undefined || count === undefined || now === undefined) return;
    const first = last - messages.length + 1;
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
    const { maxMessages } = this.#options;
    if (maxMessages !== undefined && count > maxMessages)
      await this.#cut(transaction, key, last - maxMessages + 1);
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

  async #conflict(
    transaction: SqlExecutor,
    key: string,
    sessionId: string,
    expected: number,
  ): Promise<SessionConflictException> {
    const { rows } = await transaction.query(`SELECT version FROM ${this.#sessions} WHERE session_key = ?`, [
      key,
    ]);
    const version = rows[0] ? numberOf(rows[0]['version']) : 0;
    return new SessionConflictException(sessionId, `its version is ${version}, not the expected ${expected}`);
  }
}
