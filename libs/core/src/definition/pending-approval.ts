/** A question to a person about a tool call; the run waits for the answer. */
export interface PendingApproval {
  readonly toolCallId: string;
  readonly toolName: string;
  /**
   * `approval`: may it be called? `outcome_unknown`: it was called, the run was interrupted, and nobody knows whether
   * it has taken effect; may it be called again?
   */
  readonly reason: 'approval' | 'outcome_unknown';
  /** What it is, or was, called with. */
  readonly arguments: unknown;
  /** Binds a decision to exactly this question: the run, the call, its name, its arguments and the reason. */
  readonly argumentsHash: string;
  /** How long the run waits, in ms; then the call counts as rejected. Default: for ever. */
  readonly timeoutMs?: number | undefined;
  /** When that is over, in epoch milliseconds by the clock of the store. Known once the run waits. */
  readonly expiresAt?: number | undefined;
}
