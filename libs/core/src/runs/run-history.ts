import type { PendingApproval } from '../definition/pending-approval.js';
import type { ApprovalDecision } from './approval-decision.js';
import type { AnswerStep, NewRun, RunLog, ToolResultStep } from './run.store.js';

/** One question to people about a call, and what came of it. */
export interface RecordedApproval {
  readonly request: PendingApproval;
  /** `expired`: nobody decided in time. Undefined as long as it waits. */
  readonly decision: ApprovalDecision | 'expired' | undefined;
}

/** What is known of one tool call of a run. */
export interface RecordedCall {
  /** True if the tool may have been called since people were last asked about it: its effect may have happened. */
  readonly started: boolean;
  readonly result: ToolResultStep | undefined;
  /** In the order they were asked; only the last one may wait. */
  readonly approvals: readonly RecordedApproval[];
}

/** All that was recorded of a run: enough to go on with it anywhere. */
export interface RunHistory {
  readonly run: NewRun;
  /** In the order they were given. */
  readonly answers: readonly AnswerStep[];
  /** By tool-call id, which is unique in a run. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
}

/** A run that was taken over, with the right to write on. */
export interface RecoveredRun {
  readonly history: RunHistory;
  readonly log: RunLog;
}
