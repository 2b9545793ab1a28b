import { SessionConflictException } from '../errors/session-conflict.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { ConversationStore } from '../sessions/conversation.store.js';
import type { RunRequest } from './run-request.js';

/** A session while one run holds it. */
export interface SessionLease {
  /** What the run starts from. */
  readonly history: readonly LlmMessage[];
  /** Stores what the run added: everything in the conversation behind what is stored already. */
  commit(conversation: readonly LlmMessage[]): Promise<void>;
  release(): void;
}

/** Takes the session of a run, if it has one, and reads it. */
export async function openSession(
  request: RunRequest,
  store: ConversationStore,
  sessionId: string | undefined,
  signal: AbortSignal,
): Promise<SessionLease | undefined> {
  if (sessionId === undefined) return undefined;
  const release = await store.lock(sessionId, { whenBusy: request.whenBusy ?? 'wait', signal });
  try {
    const { messages, version } = await store.load(sessionId);
    const history = request.checkpoint?.conversation ?? messages;
    if (request.checkpoint) checkContinues(sessionId, messages, history);
    return {
      history,
      commit: async (conversation) => {
        const added = conversation.slice(messages.length).filter(({ role }) => role !== 'system');
        if (added.length > 0) await store.append(sessionId, added, version);
      },
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** A checkpoint goes on from a session only if it holds all that is stored. */
function checkContinues(
  sessionId: string,
  stored: readonly LlmMessage[],
  conversation: readonly LlmMessage[],
): void {
  const last = stored.at(-1);
  const same = conversation[stored.length - 1];
  if (!last || (same?.role === last.role && same.content === last.content)) return;
  throw new SessionConflictException(sessionId, 'the checkpoint does not continue what is stored');
}
