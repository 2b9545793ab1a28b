import type { PendingApproval } from '../definition/pending-approval.js';
import type { AnswerStep } from '../runs/run.store.js';
import { toJsonSafe } from '../operators/json-safe.js';
import { parseToolArguments, type ParsedArguments } from '../operators/tool-arguments.js';
import type { RecordedApproval, RunHistory } from '../runs/run-history.js';
import type { AgentRun } from './agent-run.js';
import { approvalRequest } from './approval-request.js';
import { approvalOf } from './execute-tool-call.js';
import type { PreparedCall } from './prepared-call.js';
import { failed, type ToolOutcome } from './tool-outcome.js';

const FIND_OUT = 'Find out with another tool, or tell the user.';

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
  return calls.map((prepared): CallPlan => {
    const recorded = history.calls.get(prepared.call.id);
    const approvals = recorded?.approvals ?? [];
    const call = { ...prepared, arguments: decidedArguments(prepared, approvals) };
    if (recorded?.result) return { kind: 'done', call, outcome: recorded.result };
    if (recorded?.started) return planStarted(run, call, approvals.length);
    const last = approvals.at(-1);
    if (last) return planAsked(call, last);
    // The run was interrupted before it waited.
    const pending = step.calls[call.ordinal]?.approval;
    return pending ? { kind: 'wait', call, pending } : { kind: 'run', call, announce: true };
  });
}

/** As a person has edited them, read as a model's are; else as the model sent them. */
function decidedArguments(
  { arguments: sent }: PreparedCall,
  approvals: readonly RecordedApproval[],
): ParsedArguments {
  const edits = approvals.flatMap(({ decision }) =>
    typeof decision === 'object' && decision.arguments !== undefined ? [decision.arguments] : [],
  );
  const last = edits.at(-1);
  return last === undefined ? sent : parseToolArguments(JSON.stringify(toJsonSafe(last)));
}

/** It may have been called: only what may be repeated is called again without asking. */
function planStarted(run: AgentRun, call: PreparedCall, asked: number): CallPlan {
  const tool = run.agent.tools.get(call.call.name);
  if (tool?.metadata.effect !== 'at-most-once') return { kind: 'run', call: { ...call, approved: true } };
  if (tool.metadata.onUnknownOutcome !== 'suspend' || !run.log.suspended || !call.arguments.ok)
    return { kind: 'answer', call, outcome: outcomeUnknown(call, FIND_OUT) };
  const question = { reason: 'outcome_unknown', arguments: call.arguments.value, asked } as const;
  return { kind: 'wait', call, pending: approvalRequest(run, tool, call.call, question) };
}

function planAsked(call: PreparedCall, { request, decision }: RecordedApproval): CallPlan {
  if (!decision) return { kind: 'wait', call, pending: request };
  if (decision !== 'expired' && decision.decision === 'approve')
    return { kind: 'run', call: { ...call, approved: true }, announce: true };
  const reason = decision === 'expired' ? undefined : (decision.reason ?? '');
  const outcome = request.reason === 'approval' ? notApproved(reason) : notRepeated(call, reason);
  return { kind: 'answer', call, outcome };
}

/** @param reason undefined if nobody decided in time */
function notApproved(reason: string | undefined): ToolOutcome {
  if (reason === undefined)
    return failed('not_approved', 'Nobody approved this call in time: it has expired and was not made.');
  return failed('not_approved', `A person rejected this call${reason ? `: ${reason}` : '.'}`);
}

/** @param reason undefined if nobody decided in time */
function notRepeated(call: PreparedCall, reason: string | undefined): ToolOutcome {
  if (reason === undefined) return outcomeUnknown(call, `Nobody said in time what came of it. ${FIND_OUT}`);
  return outcomeUnknown(call, reason ? `A person says: ${reason}` : `A person decided so. ${FIND_OUT}`);
}

function outcomeUnknown({ call: { name } }: PreparedCall, advice: string): ToolOutcome {
  return failed(
    'outcome_unknown',
    `"${name}" was called, but the run was interrupted before its result was known. It may or may not have taken ` +
      `effect, and is not called again. ${advice}`,
  );
}
