import { BudgetExceededException } from '../errors/budget-exceeded.exception.js';
import { MaxTurnsExceededException } from '../errors/max-turns-exceeded.exception.js';
import type { ExitReason } from '../listeners/agent-execution.listener.js';
import type { LlmResponse, ToolChoice } from '../llm/llm.provider.js';
import type { AgentRun } from './agent-run.js';
import { askModel } from './ask-model.js';
import { exitConditionHolds } from './exit-scope.js';
import { acceptAnswer } from './final-answer.js';
import { planCalls, type CallPlan } from './call-plan.js';
import { leaveCalls } from './left-calls.js';
import type { PendingApproval } from '../definition/pending-approval.js';
import { prepareAnswer } from './prepared-call.js';
import { replayRun, type TurnInProgress } from './replay-run.js';
import type { ToolStartedStep } from '../runs/run.store.js';
import { refuseTools, runTools } from './run-tools.js';

/**
 * The loop: start a turn, ask the model, run the tools it asked for, test the exit, and again. Gives the reason of
 * an ordinary end.
 * @throws MaxTurnsExceededException, BudgetExceededException, LoopDetectedException, InvalidResponseException, the
 * provider's error, an operator's `AgentException`, or the reason the run was aborted for.
 */
export async function runTurns(run: AgentRun): Promise<ExitReason> {
  if (isAnswered(run) && (await acceptAnswer(run))) return 'stop';
  let turn = run.recovered && (await replayRun(run, run.recovered.history));
  for (;;) {
    if (turn) {
      const reason = await finishTurn(run, turn);
      if (reason) return reason;
    }
    run.scope.throwIfAborted();
    if (run.turn >= run.maxTurns) return outOfTurns(run);
    checkBudget(run);
    startTurn(run);
    turn = await takeAnswer(run);
  }
}

/** Does what an answer asks for. Gives the reason if the run ends with it. */
async function finishTurn(run: AgentRun, { answer, plans }: TurnInProgress): Promise<ExitReason | undefined> {
  const calls = plans.map(({ call }) => call);
  if (isCut(answer)) {
    await refuseTools(
      run,
      calls,
      `The message was ended by "${answer.finishReason}", so its calls were not made.`,
    );
    return answer.finishReason;
  }
  if (plans.length === 0) return (await acceptAnswer(run)) ? 'stop' : undefined;
  const pending = await runTools(run, plans);
  run.scope.throwIfAborted();
  if (pending.length > 0) return suspend(run, pending);
  return exitConditionHolds(run, calls) ? 'exit_condition' : undefined;
}

async function suspend(run: AgentRun, pending: readonly PendingApproval[]): Promise<ExitReason> {
  run.pendingApprovals = pending;
  await run.logged(run.log.suspended?.(pending));
  return 'suspended';
}

function startTurn(run: AgentRun): void {
  run.turn += 1;
  if (!run.listeners.active) return;
  run.listeners.tell('onAgentTurnStarted', {
    turnNumber: run.turn,
    messageCount: run.memory.messages().length,
  });
}

/** Asks the model and keeps the answer; it is recorded before anything acts on it. */
async function takeAnswer(run: AgentRun, toolChoice?: ToolChoice): Promise<TurnInProgress> {
  const asked = await askModel(run, toolChoice);
  const { message, calls } = prepareAnswer(run, asked.message);
  const answer = message === asked.message ? asked : { ...asked, message };
  const plans = await planCalls(run, calls);
  try {
    await run.logged(run.log.answered({ turn: run.turn, response: answer, calls: plans.map(startedStep) }));
  } catch (error) {
    // The step may be recorded all the same, as when the run is to be left just then.
    await leaveCalls(
      run,
      plans.flatMap((plan) => (plan.kind === 'run' ? [plan.call] : [])),
    );
    throw error;
  }
  run.addAnswer(answer);
  return { answer, plans };
}

function startedStep(plan: CallPlan): ToolStartedStep {
  const { call, ordinal, idempotencyKey } = plan.call;
  const approval = plan.kind === 'wait' ? { approval: plan.pending } : {};
  return { ordinal, toolCallId: call.id, toolName: call.name, idempotencyKey, ...approval };
}

function isCut(
  answer: LlmResponse,
): answer is LlmResponse & { readonly finishReason: 'length' | 'content_filter' } {
  return answer.finishReason === 'length' || answer.finishReason === 'content_filter';
}

/** True for a resumed conversation that already ends with an answer. */
function isAnswered(run: AgentRun): boolean {
  const last = run.memory.messages().at(-1);
  if (run.turn === 0 || last?.role !== 'assistant' || last.toolCalls?.length) return false;
  run.answer = { message: last, finishReason: 'stop' };
  return true;
}

async function outOfTurns(run: AgentRun): Promise<ExitReason> {
  const { def } = run.agent;
  if (def.onMaxTurns === 'throw') throw new MaxTurnsExceededException(def.id, run.maxTurns);
  for (;;) {
    startTurn(run);
    const { answer, plans } = await takeAnswer(run, 'none');
    const calls = plans.map(({ call }) => call);
    await refuseTools(run, calls, 'The turns are used up, so this call was not made.');
    if (isCut(answer) || (await acceptAnswer(run))) return 'max_turns';
  }
}

function checkBudget(run: AgentRun): void {
  const { id, maxTotalTokens } = run.agent.def;
  if (maxTotalTokens === null || run.usage.totalTokens <= maxTotalTokens) return;
  throw new BudgetExceededException(id, run.usage.totalTokens, maxTotalTokens);
}
