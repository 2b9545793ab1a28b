/** The kinds of events, one for each callback of `AgentExecutionListener`. */
export const JOURNAL_EVENT_TYPES = [
  'AGENT_TURN_STARTED',
  'AGENT_LLM_CALLED',
  'AGENT_TOOL_DISPATCHED',
  'AGENT_TOOL_COMPLETED',
  'AGENT_LOOP_EXITED',
] as const;

export type JournalEventType = (typeof JOURNAL_EVENT_TYPES)[number];

/** One event of a run. */
export interface JournalEvent {
  /** The run's id. */
  readonly executionId: string;
  /** 1, 2, … within the run, without gaps unless events were lost. */
  readonly sequenceNumber: number;
  readonly type: JournalEventType;
  /** Epoch ms, by the clock of the process that ran it. */
  readonly timestamp: number;
  readonly graphName: string;
  readonly nodeId: string;
  readonly operatorRef: string;
  /** The callback's payload without its secrets. */
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface JournalQuery {
  readonly runId?: string;
  readonly type?: JournalEventType;
  /** Epoch ms, included. */
  readonly from?: number;
  /** Epoch ms, not included. */
  readonly to?: number;
  /** The `next` of the page before. With `runId` a sequence number does as well: what comes behind it is given. */
  readonly after?: string | number;
  /** 1 to 1,000. Default 100. */
  readonly limit?: number;
}

export interface JournalPage {
  /** By time; those of one run by their number. */
  readonly events: readonly JournalEvent[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

export interface JournalVerification {
  readonly events: number;
  /** The highest number; 0 if there are no events. */
  readonly last: number;
  /** Ranges of numbers that are missing, the first hundred. */
  readonly missing: readonly { readonly from: number; readonly to: number }[];
  /** True if the run's end is there. */
  readonly exited: boolean;
  /** True if nothing is missing between 1 and the last. */
  readonly complete: boolean;
}
