import type { RecordedCall, RunHistory, ToolStartedStep } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { runSteps } from './run-steps.js';

const step = (toolCallId: string): ToolStartedStep => ({
  ordinal: 0,
  toolCallId,
  toolName: 'pay',
  idempotencyKey: `secret-${toolCallId}`,
});

const failed = (code: string): Partial<RecordedCall> => ({
  started: true,
  result: {
    ...step('c'),
    turn: 1,
    success: false,
    text: `told ${code}`,
    result: { error: { code, message: 'no' } },
  },
});

function history(call: Partial<RecordedCall> | undefined): RunHistory {
  const message = { role: 'assistant' as const, content: null };
  return {
    run: { runId: 'r', agentId: 'a', sessionId: undefined, input: [], caller: { user: 'secret' } },
    answers: [{ turn: 1, response: { message, finishReason: 'tool_calls' }, calls: [step('c')] }],
    calls: new Map(call && [['c', { started: false, result: undefined, approvals: [], ...call }]]),
  };
}

describe('runSteps', () => {
  it('gives answers and their calls in order, and nothing else of the run', () => {
    const { answers, ...run } = history({
      started: true,
      result: { ...step('c'), turn: 1, success: true, text: '"paid"', result: 'paid' },
    });
    const message = { role: 'assistant' as const, content: 'Done.' };
    const last = { turn: 2, response: { message, finishReason: 'stop' }, calls: [] };
    expect(runSteps({ ...run, answers: [...answers, last] })).toEqual([
      { kind: 'answer', turn: 1, text: null, finishReason: 'tool_calls' },
      { kind: 'tool', turn: 1, tool: 'pay', toolCallId: 'c', status: 'done', text: '"paid"' },
      { kind: 'answer', turn: 2, text: 'Done.', finishReason: 'stop' },
    ]);
  });

  it.each([
    ['waiting', undefined, undefined],
    ['waiting', { started: false }, undefined],
    ['started', { started: true }, undefined],
    ['failed', failed('timeout'), 'told timeout'],
    ['denied', failed('denied'), 'told denied'],
    ['denied', failed('not_approved'), 'told not_approved'],
    ['unknown', failed('outcome_unknown'), 'told outcome_unknown'],
  ])('a call is %s for %j', (status, call, text) => {
    expect(runSteps(history(call))[1]).toMatchObject({ kind: 'tool', status, text });
  });
});
