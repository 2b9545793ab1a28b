import { AgentException } from './agent.exception.js';

export type ApprovalErrorCode =
  | 'approval_unknown'
  | 'approval_decided'
  | 'approval_changed'
  | 'approval_expired'
  | 'approval_forbidden'
  | 'approval_invalid'
  | 'run_not_suspended';

/**
 * Thrown when a decision is refused: nobody asked for it, it was decided or has expired, it was about other arguments,
 * its own arguments do not fit, or who decides may not. Nothing was stored and nothing was run.
 */
export class ApprovalException extends AgentException {
  constructor(code: ApprovalErrorCode, message: string) {
    super(message, { code });
  }

  /** What a store says of a decision that does not fit. */
  static refused(
    code: Exclude<ApprovalErrorCode, 'approval_invalid'>,
    runId: string,
    toolCallId: string,
  ): ApprovalException {
    const call = `tool call "${toolCallId.slice(0, 100)}" of run "${runId.slice(0, 100)}"`;
    return new ApprovalException(code, MESSAGES[code](call));
  }
}

const MESSAGES = {
  approval_unknown: (call) => `Nobody asked for a decision about ${call}.`,
  approval_decided: (call) => `The ${call} was decided already.`,
  approval_changed: (call) =>
    `The decision about ${call} is for other arguments or another question than what waits. Read the run again and decide anew.`,
  approval_expired: (call) => `The ${call} was not decided in time and counts as rejected.`,
  approval_forbidden: (call) => `You may not decide about ${call}.`,
  run_not_suspended: (call) => `The run of ${call} does not wait any more.`,
} satisfies Readonly<Record<Exclude<ApprovalErrorCode, 'approval_invalid'>, (call: string) => string>>;
