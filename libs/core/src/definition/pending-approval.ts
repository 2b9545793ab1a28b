/** A tool call that waits for a person. */
export interface PendingApproval {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Checked against the tool's schema. */
  readonly arguments: unknown;
  /** Binds a decision to exactly this name and these arguments. */
  readonly argumentsHash: string;
}
