import { AgentException } from '../errors/agent.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { thrownMessage } from '../operators/tool-error.js';
import type { AgentRun } from './agent-run.js';
import { CallScope } from './call-scope.js';
import { executeToolCall } from './execute-tool-call.js';
import { onAbort } from '../cancellation/on-abort.js';
import type { PendingApproval } from '../definition/pending-approval.js';
import type { CallPlan } from './call-plan.js';
import type { PreparedCall } from './prepared-call.js';
import { leaveCalls } from './left-calls.js';
import { failed, type ToolOutcome } from './tool-outcome.js';

const SUMMARY_LENGTH = 200;

/**
 * Runs the calls of one turn, as many at once as the agent allows, and appends their results in call order. Ends
 * after every started call has settled. Gives the calls that wait for a person; if there are any, nothing is appended
 * yet, because a conversation with half of a tool round is not valid.
 * @throws AgentException the first one an operator threw, in call order, when all results are appended.
 */
export async function runTools(
  run: AgentRun,
  plans: readonly CallPlan[],
): Promise<readonly PendingApproval[]> {
  const scopes = plans.map(() => new CallScope());
  const cancelAll = (reason: unknown): void => scopes.forEach((scope) => scope.cancel(reason));
  const stopListening = onAbort(run.scope.signal, () => cancelAll(run.scope.reason));
  const outcomes: ToolOutcome[] = [];
  const runOne = async (index: number): Promise<void> => {
    const plan = plans[index];
    const scope = scopes[index];
    if (!plan || !scope || plan.kind === 'wait') return;
    const outcome = plan.kind === 'done' ? plan.outcome : await runCall(run, plan, scope);
    outcomes[index] = outcome;
    if (outcome.fatal) cancelAll(outcome.fatal);
  };
  try {
    await runCapped(plans.length, run.agent.def.maxToolConcurrency ?? plans.length, runOne);
  } finally {
    stopListening();
  }
  const fatal = outcomes.find((outcome) => outcome?.fatal)?.fatal;
  const pending = plans.flatMap((plan) => (plan.kind === 'wait' ? [plan.pending] : []));
  if (pending.length > 0 && !fatal && !run.scope.aborted) return pending;
  appendResults(
    run,
    plans.map(({ call }) => call),
    plans.map((_, index) => outcomes[index] ?? notRun()),
  );
  if (fatal) throw fatal;
  return [];
}

/** Answers calls that are not to be made, so that the conversation stays valid. */
export async function refuseTools(run: AgentRun, calls: readonly PreparedCall[], why: string): Promise<void> {
  if (calls.length === 0) return;
  const outcome = failed('not_run', why);
  appendResults(
    run,
    calls,
    calls.map(() => outcome),
  );
  for (const prepared of calls) await record(run, prepared, outcome);
}

async function runCapped(
  count: number,
  cap: number,
  runOne: (index: number) => Promise<void>,
): Promise<void> {
  if (count === 1) return runOne(0);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await runOne(next++);
  };
  await Promise.all(Array.from({ length: Math.min(cap, count) }, worker));
}

async function runCall(
  run: AgentRun,
  plan: Extract<CallPlan, { readonly kind: 'run' | 'answer' }>,
  scope: CallScope,
): Promise<ToolOutcome> {
  const prepared = plan.call;
  if (scope.cancelled) {
    await leaveCalls(run, [prepared]);
    return notRun();
  }
  const { id: toolCallId, name: toolName, arguments: argumentsJson } = prepared.call;
  const turnNumber = run.turn;
  if (run.listeners.active) {
    run.listeners.tell('onAgentToolDispatched', { turnNumber, toolCallId, toolName, argumentsJson });
  }
  if (run.sink) await run.emit({ type: 'tool_start', toolName, toolCallId, turnNumber });
  const startedAt = performance.now();
  // A slow consumer may have kept the call waiting while the run was stopped.
  if (scope.cancelled && (await leaveCalls(run, [prepared]))) return notRun();
  const outcome = scope.cancelled ? notRun() : await outcomeOf(run, plan, scope);
  const { success } = outcome;
  if (run.listeners.active) {
    const latencyMs = performance.now() - startedAt;
    const resultSummary = outcome.text.slice(0, SUMMARY_LENGTH).toWellFormed();
    run.listeners.tell('onAgentToolCompleted', {
      turnNumber,
      toolCallId,
      toolName,
      success,
      latencyMs,
      resultSummary,
    });
  }
  const unrecorded = await recordFailure(run, prepared, outcome);
  if (run.sink) await run.emit({ type: 'tool_end', toolName, toolCallId, success, turnNumber });
  return unrecorded ? { ...outcome, fatal: unrecorded } : outcome;
}

async function outcomeOf(
  run: AgentRun,
  plan: Extract<CallPlan, { readonly kind: 'run' | 'answer' }>,
  scope: CallScope,
): Promise<ToolOutcome> {
  if (plan.kind === 'answer') return plan.outcome;
  const { ordinal, idempotencyKey, call } = plan.call;
  if (plan.announce) {
    const { id: toolCallId, name: toolName } = call;
    await run.logged(run.log.toolStarted?.({ ordinal, toolCallId, toolName, idempotencyKey }));
  }
  return executeToolCall(run, plan.call, scope);
}

function notRun(): ToolOutcome {
  return failed('not_run', 'The run was stopped before this call was made.');
}

/** Why a result could not be recorded. It stops the run, but the other calls end and every result stays. */
async function recordFailure(
  run: AgentRun,
  prepared: PreparedCall,
  outcome: ToolOutcome,
): Promise<AgentException | undefined> {
  try {
    const recorded = record(run, prepared, outcome);
    if (recorded) await recorded;
    return undefined;
  } catch (cause) {
    return new AgentException(
      `The result of tool call "${prepared.call.id}" could not be recorded: ${thrownMessage(cause)}`,
      { code: 'error', cause },
    );
  }
}

function record(run: AgentRun, prepared: PreparedCall, outcome: ToolOutcome): Promise<void> | undefined {
  const { call, ordinal, idempotencyKey } = prepared;
  const { success, text, result } = outcome;
  const { id: toolCallId, name: toolName } = call;
  return run.logged(
    run.log.toolCompleted({
      turn: run.turn,
      ordinal,
      toolCallId,
      toolName,
      idempotencyKey,
      success,
      text,
      result,
    }),
  );
}

/** Puts the results of a tool round into the conversation, in call order. */
export function appendResults(
  run: AgentRun,
  calls: readonly PreparedCall[],
  outcomes: readonly ToolOutcome[],
): void {
  const results: Record<string, unknown> = Object.create(null);
  calls.forEach(({ call }, index) => {
    const outcome = outcomes[index];
    if (!outcome) throw new AgentException(`Tool call "${call.id}" has no outcome.`, { code: 'internal' });
    run.memory.append(toolMessage(call.id, outcome.text));
    results[call.id] = outcome.result;
    run.guard.record(call.name, call.arguments, outcome.text);
  });
  run.toolResults = Object.freeze(results);
}

function toolMessage(toolCallId: string, content: string): LlmMessage {
  return Object.freeze({ role: 'tool', content, toolCallId });
}
