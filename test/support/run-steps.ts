import type { AnswerStep, NewRun, PendingApproval, RunOutcome, ToolResultStep } from '@nestor/core';

export const DONE: RunOutcome = { exitReason: 'stop', turnsUsed: 1, totalTokens: 12, error: undefined };

let counter = 0;
export const newRun = (given: Partial<NewRun> = {}): NewRun => ({
  runId: `run-${process.pid}-${++counter}`,
  agentId: 'agent',
  sessionId: undefined,
  input: [{ role: 'user', content: 'go' }],
  ...given,
});

export const answerStep = (
  turn: number,
  tools: readonly string[],
  waiting: readonly number[] = [],
): AnswerStep => ({
  turn,
  response: {
    message: {
      role: 'assistant',
      content: null,
      toolCalls: tools.map((name, ordinal) => ({ id: `c${turn}_${ordinal}`, name, arguments: '{}' })),
    },
    finishReason: 'tool_calls',
    usage: { promptTokens: 3, completionTokens: 2, totalTokens: 6, cachedTokens: 0, reasoningTokens: 0 },
  },
  calls: tools.map((toolName, ordinal) => {
    const toolCallId = `c${turn}_${ordinal}`;
    const approval = waiting.includes(ordinal) ? { approval: pendingOf(toolCallId, toolName) } : {};
    return { ordinal, toolCallId, toolName, idempotencyKey: `k:${turn}:${ordinal}`, ...approval };
  }),
});

export const pendingOf = (
  toolCallId: string,
  toolName = 'pay',
  given: Partial<PendingApproval> = {},
): PendingApproval => ({
  toolCallId,
  toolName,
  reason: 'approval',
  arguments: { to: toolCallId },
  argumentsHash: 'a'.repeat(64),
  ...given,
});

export const resultStep = (
  { turn, calls }: AnswerStep,
  ordinal: number,
  given: Partial<ToolResultStep> = {},
): ToolResultStep => ({
  ...calls[ordinal]!,
  turn,
  success: true,
  text: 'ok',
  result: 'ok',
  ...given,
});

export const pendingIn = ({ calls }: AnswerStep): PendingApproval[] =>
  calls.flatMap(({ approval }) => (approval ? [approval] : []));

/** Whatever a store does at once or later, as one that rejects. */
export const later = async <T>(work: () => T | Promise<T>): Promise<T> => work();
