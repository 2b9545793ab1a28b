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
import { outlast } from '../database/outlast.js';
import type { SqlExecutor } from '../database/sql-executor.js';
import { hashKey } from '../database/storage-key.js';
import { MessageRows } from './message-rows.js';
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

/** What a run adds to a session. */
interface Added {
  readonly key: string;
  readonly sessionId: string;
  readonly messages: readonly LlmMessage[];
  readonly expectedVersion: number;
  readonly runId: string | undefined;
}

/** Transcripts in the agent database, shared by all its processes. */
export class TypeOrmConversationStore implements ConversationStore {
  readonly #database: AgentDatabase;
  readonly #options: TypeOrmConversationStoreOptions;
  readonly #leases: SessionLeases;
  readonly #rows: MessageRows;
  readonly #sessions: string;
  readonly #messages: string;
  /** SQL: true for a session that has not run out. */
  readonly #alive: string;

  constructor(database: AgentDatabase, options: TypeOrmConversationStoreOptions = {}) {
    this.#database = database;
    this.#options = options;
    this.#leases = new SessionLeases(database, options.leaseMs ?? DEFAULT_LEASE_MS);
    this.#rows = new MessageRows(database, options.maxMessages);
    this.#sessions = database.table('agent_session');
    this.#messages = database.table('agent_message');
    this.#alive =
      options.ttlMs === undefined ? '1 = 1' : `updated_at >= ${database.dialect.now} - ${options.ttlMs}`;
  }

  async load(sessionId: string, runId?: string): Promise<StoredConversation> {
    const { loadLimit } = this.#options;
    const key = hashKey(sessionId);
    const end = runId === undefined ? undefined : await this.#rows.startOf(key, runId);
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

  /** A database that is away is waited for, no longer than the session's lease. */
  append(
    sessionId: string,
    messages: readonly LlmMessage[],
    expectedVersion: number,
    runId?: string,
  ): Promise<number> {
    const added: Added = { key: hashKey(sessionId), sessionId, messages, expectedVersion, runId };
    const attempt = (): Promise<number> =>
      this.#database.transaction((transaction) => this.#append(transaction, added));
    return outlast(this.#database, attempt, { forMs: this.#options.leaseMs ?? DEFAULT_LEASE_MS });
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

  async #append(transaction: SqlExecutor, added: Added): Promise<number> {
    const { key, sessionId, messages, expectedVersion, runId } = added;
    if (expectedVersion === 0) await this.#begin(transaction, key, sessionId);
    const { affected } = await transaction.query(
      `UPDATE ${this.#sessions} SET version = version + 1, message_count = message_count + ?, ` +
        `last_sequence = last_sequence + ?, updated_at = ${this.#database.dialect.now} ` +
        `WHERE session_key = ? AND version = ?`,
      [messages.length, messages.length, key, expectedVersion],
    );
    if (affected === 0) return this.#versionAfter(transaction, added);
    await this.#rows.insert(transaction, key, messages, runId);
    return expectedVersion + 1;
  }

  /**
   * The version with which a run has appended already: the answer to its first try was lost.
   * @throws SessionConflictException if it was somebody else
   */
  async #versionAfter(transaction: SqlExecutor, added: Added): Promise<number> {
    const { key, sessionId, expectedVersion, runId } = added;
    const { rows } = await transaction.query(`SELECT version FROM ${this.#sessions} WHERE session_key = ?`, [
      key,
    ]);
    const version = rows[0] ? numberOf(rows[0]['version']) : 0;
    if (runId !== undefined && (await this.#rows.startOf(key, runId, transaction)) !== undefined)
      return version;
    throw new SessionConflictException(
      sessionId,
      `its version is ${version}, not the expected ${expectedVersion}`,
    );
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
}
