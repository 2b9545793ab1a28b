/** A question to a person, as `authorize` sees it. */
export interface ApprovalRequest {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionId: string | undefined;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  /** See `PendingApproval.reason`. */
  readonly reason: 'approval' | 'outcome_unknown';
  /** The caller of the run, restored; undefined if it has none. */
  readonly caller: unknown;
}

export interface ApprovalsOptions {
  /**
   * Whether `decider` (the `caller` of the decision; over HTTP the request) may decide. Default: whoever gets here may,
   * so that it is for the guards of the route to say.
   */
  readonly authorize?: (decider: unknown, request: ApprovalRequest) => boolean | Promise<boolean>;
}
