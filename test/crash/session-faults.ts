import type { ConversationStore, LlmMessage, RunHistory } from '@nestor/core';
import { runOfQuestion } from './crash-agent.js';

/** What is wrong with the transcript of a session: each of its runs must be there once and whole. */
export async function sessionFaults(
  sessions: Pick<ConversationStore, 'load'>,
  sessionId: string,
  runs: readonly RunHistory[],
): Promise<string[]> {
  const { messages } = await sessions.load(sessionId);
  const parts = partsOf(messages);
  const faults = runs.flatMap((history) => {
    const { runId } = history.run;
    const own = parts.filter(([question]) => question && runOfQuestion(question) === runId);
    if (own.length !== 1) return [`${runId} is there ${own.length} times`];
    const [found] = own;
    return shown(found ?? []) === shown(messagesOf(history)) ? [] : [`${runId} is not what was recorded`];
  });
  const strangers = parts.length === runs.length ? [] : [`${parts.length} parts of ${runs.length} runs`];
  return [...faults, ...strangers].map((fault) => `session ${sessionId}: ${fault}`);
}

/** A transcript, cut before each question. */
function partsOf(messages: readonly LlmMessage[]): LlmMessage[][] {
  const parts: LlmMessage[][] = [];
  for (const message of messages) {
    if (message.role === 'user' || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(message);
  }
  return parts;
}

function messagesOf({ run, answers, calls }: RunHistory): LlmMessage[] {
  return [
    ...run.input,
    ...answers.flatMap(({ response, calls: asked }) => [
      response.message,
      ...asked.map(({ toolCallId }): LlmMessage => {
        const content = calls.get(toolCallId)?.result?.text ?? null;
        return { role: 'tool', content, toolCallId };
      }),
    ]),
  ];
}

function shown(messages: readonly LlmMessage[]): string {
  return JSON.stringify(
    messages.map(({ role, content, toolCallId, toolCalls }) => [
      role,
      content,
      toolCallId,
      toolCalls?.map(({ id, name }) => [id, name]),
    ]),
  );
}
