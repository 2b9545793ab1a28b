import type {
  ApprovalDecision,
  PendingApproval,
  RecordedCall,
  RunHistory,
  ToolStartedStep,
} from '@nestor/core';
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

const request: PendingApproval = {
  toolCallId: 'c',
  toolName: 'pay',
  arguments: {},
  argumentsHash: 'h',
  reason: 'approval',
};

const asked = (decision?: ApprovalDecision | 'expired'): Pick<RecordedCall, 'approvals'> => ({
  approvals: [{ request, decision }],
});

function history(call: Partial<RecordedCall> | undefined, approval?: PendingApproval): RunHistory {
  const message = { role: 'assistant' as const, content: null };
  return {
    run: { runId: 'r', agentId: 'a', sessionId: undefined, input: [], caller: { user: 'secret' } },
    answers: [
      { turn: 1, response: { message, finishReason: 'tool_calls' }, calls: [{ ...step('c'), approval }] },
    ],
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
    expect(runSteps({ ...run, answers: [...answers, last] }, true)).toEqual([
      { kind: 'answer', turn: 1, text: null, finishReason: 'tool_calls' },
      { kind: 'tool', turn: 1, tool: 'pay', toolCallId: 'c', status: 'done', text: '"paid"' },
      { kind: 'answer', turn: 2, text: 'Done.', finishReason: 'stop' },
    ]);
  });

  it.each([
    ['planned', undefined, undefined],
    ['planned', { started: false }, undefined],
    ['waiting', asked(), undefined],
    ['planned', asked({ toolCallId: 'c', decision: 'approve' }), undefined],
    ['planned', asked('expired'), undefined],
    ['started', { started: true }, undefined],
    ['failed', failed('timeout'), 'told timeout'],
    ['denied', failed('denied'), 'told denied'],
    ['denied', failed('not_approved'), 'told not_approved'],
    ['unknown', failed('outcome_unknown'), 'told outcome_unknown'],
  ])('a call is %s for %j', (status, call, text) => {
    expect(runSteps(history(call), false)[1]).toMatchObject({ kind: 'tool', status, text });
  });

  it('a call about which people will be asked waits before they are', () => {
    expect(runSteps(history({ started: false }, request), false)[1]).toMatchObject({ status: 'waiting' });
  });

  it.each([
    ['not_made', undefined],
    ['not_made', { started: false }],
    ['not_made', asked()],
    ['not_made', asked({ toolCallId: 'c', decision: 'approve' })],
    ['unknown', { started: true }],
    ['failed', failed('timeout')],
  ])('a call of a run that has ended is %s for %j', (status, call) => {
    expect(runSteps(history(call), true)[1]).toMatchObject({ status });
  });
});
