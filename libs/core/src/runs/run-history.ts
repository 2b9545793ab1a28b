import type { ApprovalDecision } from './approval-decision.js';
import type { AnswerStep, NewRun, RunLog, ToolResultStep } from './run.store.js';

/** What is known of one tool call of a run. */
export interface RecordedCall {
  /** True if the tool may have been called: its effect may have happened. */
  readonly started: boolean;
  readonly result: ToolResultStep | undefined;
  readonly decision: ApprovalDecision | undefined;
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
