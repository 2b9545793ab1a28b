import type { LlmResponse } from '../llm/llm.provider.js';
import { parseToolArguments } from '../operators/tool-arguments.js';
import type { AnswerStep } from '../runs/run.store.js';
import type { RunHistory } from '../runs/run-history.js';
import type { AgentRun } from './agent-run.js';
import { planRecorded, type CallPlan } from './call-plan.js';
import { acceptAnswer } from './final-answer.js';
import type { PreparedCall } from './prepared-call.js';
import { appendResults } from './run-tools.js';

export interface TurnInProgress {
  readonly answer: LlmResponse;
  readonly plans: readonly CallPlan[];
}

/**
 * Brings a run to where its history ends: every answer and every complete tool round is in the conversation again.
 * Gives the last turn, which may have calls left to make; undefined if the model was not asked yet.
 */
export async function replayRun(run: AgentRun, history: RunHistory): Promise<TurnInProgress | undefined> {
  let last: TurnInProgress | undefined;
  for (const step of history.answers) {
    // Each turn but the last was finished, or the next would not have begun.
    if (last) await finishAgain(run, last);
    run.turn = step.turn;
    run.llmCalls += 1;
    run.addUsage(step.response.usage);
    run.addAnswer(step.response);
    last = { answer: step.response, plans: planRecorded(run, restoreCalls(run, step), step, history) };
  }
  return last;
}

async function finishAgain(run: AgentRun, { plans }: TurnInProgress): Promise<void> {
  if (plans.length === 0) {
    await acceptAnswer(run);
    return;
  }
  const done = plans.filter((plan) => plan.kind === 'done');
  appendResults(
    run,
    done.map(({ call }) => call),
    done.map(({ outcome }) => outcome),
  );
}

function restoreCalls(run: AgentRun, { turn, response }: AnswerStep): PreparedCall[] {
  return (response.message.toolCalls ?? []).map((call, ordinal) => {
    run.uniqueCallId(call.id);
    return {
      call,
      ordinal,
      arguments: parseToolArguments(call.arguments),
      idempotencyKey: `${run.runId}:${turn}:${ordinal}`,
    };
  });
}
