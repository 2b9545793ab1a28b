import { SessionConflictException } from '../errors/session-conflict.exception.js';
import { repairHistory } from '../messages/history-repair.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { ConversationStore } from '../sessions/conversation.store.js';
import type { RunRequest } from './run-request.js';
import type { RunScope } from './run-scope.js';

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
  { sessionId, executionId }: Pick<OperatorContext, 'sessionId' | 'executionId'>,
  scope: RunScope,
): Promise<SessionLease | undefined> {
  if (sessionId === undefined) return undefined;
  const release = await store.lock(sessionId, {
    whenBusy: request.whenBusy ?? 'wait',
    signal: scope.signal,
  });
  try {
    const runId = request.recovered?.history.run.runId;
    const loading = Promise.resolve(store.load(sessionId, runId));
    const { messages, version, appended } = await scope.race(loading);
    // As the run will see it: a repair may drop messages, and what the run adds is counted from their end.
    const stored = repairHistory(messages);
    const history = request.checkpoint?.conversation ?? stored;
    if (request.checkpoint) checkContinues(sessionId, stored, history);
    return {
      history,
      commit: async (conversation) => {
        if (appended) return;
        const added = conversation.slice(stored.length).filter(({ role }) => role !== 'system');
        if (added.length > 0) await store.append(sessionId, added, version, executionId);
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
  const continues = stored.every(({ role, content, toolCallId }, index) => {
    const same = conversation[index];
    return same?.role === role && same.content === content && same.toolCallId === toolCallId;
  });
  if (continues) return;
  throw new SessionConflictException(sessionId, 'the checkpoint does not continue what is stored');
}
