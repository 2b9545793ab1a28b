/** What a person decided about one tool call. */
export interface ApprovalDecision {
  readonly toolCallId: string;
  readonly decision: 'approve' | 'reject';
  /** On approval: what the tool is called with instead; checked again. Default: what was asked for. */
  readonly arguments?: unknown;
  /** On rejection: told to the model. */
  readonly reason?: string | undefined;
  /** Who decided, as the application serialises a caller. Default: not known. */
  readonly decidedBy?: unknown;
}
