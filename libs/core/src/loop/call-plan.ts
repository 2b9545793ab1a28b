import type { PendingApproval } from '../definition/pending-approval.js';
import type { AnswerStep } from '../runs/run.store.js';
import type { RecordedCall, RunHistory } from '../runs/run-history.js';
import type { AgentRun } from './agent-run.js';
import { approvalOf } from './execute-tool-call.js';
import type { PreparedCall } from './prepared-call.js';
import { failed, type ToolOutcome } from './tool-outcome.js';

/** What becomes of one call of a turn. */
export type CallPlan =
  | {
      readonly kind: 'run';
      readonly call: PreparedCall;
      /** Not yet recorded as started. */ readonly announce?: true;
    }
  | { readonly kind: 'wait'; readonly call: PreparedCall; readonly pending: PendingApproval }
  /** Not to be made; the outcome is still to be recorded. */
  | { readonly kind: 'answer'; readonly call: PreparedCall; readonly outcome: ToolOutcome }
  /** Made before; the outcome is recorded. */
  | { readonly kind: 'done'; readonly call: PreparedCall; readonly outcome: ToolOutcome };

/** The calls of a new answer: those that need a person wait, if the run can wait. */
export async function planCalls(run: AgentRun, calls: readonly PreparedCall[]): Promise<CallPlan[]> {
  if (!run.log.suspended) return calls.map((call) => ({ kind: 'run', call }));
  return Promise.all(
    calls.map(async (call): Promise<CallPlan> => {
      const pending = await run.scope.race(approvalOf(run, call));
      return pending ? { kind: 'wait', call, pending } : { kind: 'run', call };
    }),
  );
}

/** The calls of an answer that was recorded before: nothing that has a result is made again. */
export function planRecorded(
  run: AgentRun,
  calls: readonly PreparedCall[],
  step: AnswerStep,
  history: RunHistory,
): CallPlan[] {
  return calls.map((call): CallPlan => {
    const recorded = history.calls.get(call.call.id);
    const pending = step.calls[call.ordinal]?.approval;
    if (recorded?.result) return { kind: 'done', call, outcome: recorded.result };
    if (recorded?.started) return planStarted(run, call);
    return pending ? planDecided(call, pending, recorded) : { kind: 'run', call };
  });
}

/** It may have been called: only what may be repeated is called again. */
function planStarted(run: AgentRun, call: PreparedCall): CallPlan {
  const effect = run.agent.tools.get(call.call.name)?.metadata.effect;
  if (effect === undefined || effect !== 'at-most-once')
    return { kind: 'run', call: { ...call, approved: true } };
  const outcome = failed(
    'outcome_unknown',
    `"${call.call.name}" was called, but the run was interrupted before its result was known. It may or may not have ` +
      `taken effect, and is not called again. Find out with another tool, or tell the user.`,
  );
  return { kind: 'answer', call, outcome };
}

function planDecided(
  call: PreparedCall,
  pending: PendingApproval,
  recorded: RecordedCall | undefined,
): CallPlan {
  const decision = recorded?.decision;
  if (!decision) return { kind: 'wait', call, pending };
  if (decision.decision === 'reject') {
    const reason = decision.reason ? `: ${decision.reason}` : '.';
    return { kind: 'answer', call, outcome: failed('not_approved', `A person rejected this call${reason}`) };
  }
  const value = decision.arguments;
  const edited = isObject(value) ? ({ ok: true, value } as const) : call.arguments;
  return { kind: 'run', call: { ...call, arguments: edited, approved: true }, announce: true };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
