/** The kinds of rows, one for each callback of `AgentExecutionListener`. */
export const JOURNAL_EVENT_TYPES = [
  'AGENT_TURN_STARTED',
  'AGENT_LLM_CALLED',
  'AGENT_TOOL_DISPATCHED',
  'AGENT_TOOL_COMPLETED',
  'AGENT_LOOP_EXITED',
] as const;

export type JournalEventType = (typeof JOURNAL_EVENT_TYPES)[number];

/** What a callback was given; while it is on its way to the journal, what is left of it. */
export type JournalPayload = Readonly<Record<string, unknown>>;

/** One row of the journal. */
export interface JournalEvent {
  /** The run's id; its hash if the id is longer than 64 characters or has others than printable ASCII. */
  readonly executionId: string;
  /** 1, 2, … within the run, without gaps unless events were lost. */
  readonly sequenceNumber: number;
  readonly type: JournalEventType;
  /** When it happened, by the clock of the process that ran it, in epoch ms. Orders nothing. */
  readonly timestamp: number;
  readonly graphName: string;
  readonly nodeId: string;
  readonly operatorRef: string;
  /** The callback's payload without its secrets. */
  readonly payload: JournalPayload;
}

/** An event on its way to the table: redacted, and as text. */
export interface NewJournalEvent {
  readonly executionId: string;
  readonly type: JournalEventType;
  readonly timestamp: number;
  readonly graphName: string;
  readonly nodeId: string;
  readonly operatorRef: string;
  /** JSON. */
  readonly payload: string;
}
