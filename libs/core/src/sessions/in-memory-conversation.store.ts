import { SessionConflictException } from '../errors/session-conflict.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type {
  ConversationStore,
  SessionLockOptions,
  SessionSummary,
  StoredConversation,
} from './conversation.store.js';
import { SessionLock } from './session-lock.js';

export interface InMemoryConversationStoreOptions {
  /** Sessions kept; the least recently used one goes first. Default 1,000. */
  readonly maxSessions?: number;
  /** Life of a session without use, in ms. Default: no limit. */
  readonly ttlMs?: number;
}

interface Session {
  readonly messages: LlmMessage[];
  /** Where the messages of a run begin. */
  readonly runs: Map<string, number>;
  version: number;
  updatedAt: number;
}

/** Transcripts of this process. Gone with it. */
export class InMemoryConversationStore implements ConversationStore {
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #lock = new SessionLock();
  readonly #maxSessions: number;
  readonly #ttlMs: number;

  constructor(options: InMemoryConversationStoreOptions = {}) {
    this.#maxSessions = options.maxSessions ?? 1000;
    this.#ttlMs = options.ttlMs ?? Number.POSITIVE_INFINITY;
  }

  load(sessionId: string, runId?: string): StoredConversation {
    const session = this.#fresh(sessionId);
    if (!session) return { messages: [], version: 0 };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    const start = runId === undefined ? undefined : session.runs.get(runId);
    return {
      messages: session.messages.slice(0, start),
      version: session.version,
      ...(start !== undefined && { appended: true }),
    };
  }

  append(
    sessionId: string,
    messages: readonly LlmMessage[],
    expectedVersion: number,
    runId?: string,
  ): number {
    const session: Session = this.#fresh(sessionId) ?? {
      messages: [],
      runs: new Map(),
      version: 0,
      updatedAt: 0,
    };
    if (session.version !== expectedVersion) {
      throw new SessionConflictException(
        sessionId,
        `its version is ${session.version}, not the expected ${expectedVersion}`,
      );
    }
    if (runId !== undefined) session.runs.set(runId, session.messages.length);
    for (const message of messages) session.messages.push(message);
    session.version += 1;
    session.updatedAt = Date.now();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, session);
    this.#evict();
    return session.version;
  }

  delete(sessionId: string): boolean {
    return this.#sessions.delete(sessionId);
  }

  list(options: { readonly limit?: number } = {}): readonly SessionSummary[] {
    return [...this.#sessions]
      .filter(([sessionId]) => this.#fresh(sessionId))
      .toReversed()
      .slice(0, options.limit ?? 50)
      .map(([sessionId, { messages, updatedAt }]) => ({
        sessionId,
        messageCount: messages.length,
        updatedAt,
      }));
  }

  lock(sessionId: string, options?: SessionLockOptions): Promise<() => void> {
    return this.#lock.acquire(sessionId, options);
  }

  #fresh(sessionId: string): Session | undefined {
    const session = this.#sessions.get(sessionId);
    if (session && Date.now() - session.updatedAt > this.#ttlMs) {
      this.#sessions.delete(sessionId);
      return undefined;
    }
    return session;
  }

  #evict(): void {
    if (this.#sessions.size <= this.#maxSessions) return;
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined) this.#sessions.delete(oldest);
  }
}
