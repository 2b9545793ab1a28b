import { AgentException } from './agent.exception.js';

export type ApprovalErrorCode =
  'approval_unknown' | 'approval_decided' | 'approval_changed' | 'run_not_suspended';

/** Thrown when a decision does not fit: nobody asked for it, it was decided, or it was about other arguments. Nothing was run. */
export class ApprovalException extends AgentException {
  constructor(code: ApprovalErrorCode, message: string) {
    super(message, { code });
  }
}
