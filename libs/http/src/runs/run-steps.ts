import type { RecordedCall, RunHistory, ToolResultStep, ToolStartedStep } from '@nestor/core';

/** An answer of the model. */
export interface AnswerRunStep {
  readonly kind: 'answer';
  /** 1-based. */
  readonly turn: number;
  /** Null where the model only called tools. */
  readonly text: string | null;
  /** The provider's own word. */
  readonly finishReason: string;
}

/**
 * `planned`: its turn has not come · `waiting`: for a person · `started`: called, and no result yet · `failed`: the model
 * was told why · `denied`: by a guard or a person · `unknown`: it was called, and whether it had its effect is not
 * known · `not_made`: the run ended before it was called.
 */
export type ToolRunStepStatus =
  'planned' | 'waiting' | 'started' | 'done' | 'failed' | 'denied' | 'unknown' | 'not_made';

/** A tool call that follows from the answer before it. */
export interface ToolRunStep {
  readonly kind: 'tool';
  readonly turn: number;
  readonly tool: string;
  readonly toolCallId: string;
  readonly status: ToolRunStepStatus;
  /** What the model was told: the result as text or JSON. Undefined as long as there is none. */
  readonly text: string | undefined;
}

export type RunStep = AnswerRunStep | ToolRunStep;

/**
 * What a run did so far, in order: each answer, then the calls that followed from it.
 * @param ended whether the run has ended: a call that was not made by then never is
 */
export function runSteps({ answers, calls }: RunHistory, ended: boolean): RunStep[] {
  return answers.flatMap(({ turn, response, calls: asked }): RunStep[] => [
    { kind: 'answer', turn, text: response.message.content, finishReason: response.finishReason },
    ...asked.map((step): ToolRunStep => {
      const { toolName, toolCallId } = step;
      const call = calls.get(toolCallId);
      return {
        kind: 'tool',
        turn,
        tool: toolName,
        toolCallId,
        status: statusOf(step, call, ended),
        text: call?.result?.text,
      };
    }),
  ]);
}

function statusOf(
  { approval }: ToolStartedStep,
  call: RecordedCall | undefined,
  ended: boolean,
): ToolRunStepStatus {
  if (call?.result) return call.result.success ? 'done' : failure(call.result);
  if (call?.started) return ended ? 'unknown' : 'started';
  if (ended) return 'not_made';
  // People are asked when the calls that need nobody are done.
  const asked = call?.approvals.at(-1);
  return (asked ? !asked.decision : approval) ? 'waiting' : 'planned';
}

/** By the error's code, which stands in the result as `{"error":{"code","message"}}`. */
function failure({ result }: ToolResultStep): ToolRunStepStatus {
  switch (field(field(result, 'error'), 'code')) {
    case 'denied':
    case 'not_approved':
      return 'denied';
    case 'outcome_unknown':
      return 'unknown';
    default:
      return 'failed';
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
