import type { LlmMessage } from '../messages/llm-message.js';

export interface StoredConversation {
  /** The whole transcript, tool messages included, system prompt not. Empty for a session nobody has used. */
  readonly messages: readonly LlmMessage[];
  /** Grows with every append; 0 for a session nobody has used. */
  readonly version: number;
  /** Set if the run that was asked for has appended already; `messages` are those before its own. */
  readonly appended?: true;
}

export interface SessionSummary {
  readonly sessionId: string;
  readonly messageCount: number;
  readonly updatedAt: number;
}

export interface SessionLockOptions {
  /** `wait`: until the other run has ended; `refuse`: throw `SessionBusyException`. Default `wait`. */
  readonly whenBusy?: 'wait' | 'refuse';
  /** Ends the waiting with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Transcripts across runs. */
export interface ConversationStore {
  /**
   * @param runId a run that goes on after a crash: it may have appended before it fell, and must not do so twice
   */
  load(sessionId: string, runId?: string): StoredConversation | Promise<StoredConversation>;
  /**
   * Adds messages and gives the new version.
   * @param runId the run whose messages they are, for `load`
   * @throws SessionConflictException if the stored version is another than `expectedVersion`; nothing is written then.
   */
  append(
    sessionId: string,
    messages: readonly LlmMessage[],
    expectedVersion: number,
    runId?: string,
  ): number | Promise<number>;
  /** Gives false if there was no such session. */
  delete(sessionId: string): boolean | Promise<boolean>;
  /** Latest used first. */
  list(options?: { readonly limit?: number }): readonly SessionSummary[] | Promise<readonly SessionSummary[]>;
  /** Two runs of one session never overlap: hold this while a run is under way. Resolves with the release. */
  lock(sessionId: string, options?: SessionLockOptions): Promise<() => void>;
}
