import type { AgentCallbackContext, LoopExitedPayload, RunLog, ToolDispatchedPayload } from '@nestor/core';
import type { SqlExecutor } from '../database/sql-executor.js';
import type { EventJournalBridge } from '../journal/event-journal.bridge.js';
import type { JournalEventType, NewJournalEvent } from '../journal/journal-event.js';
import type { JournalCounters } from '../journal/journal.writer.js';
import type { JournalTable } from '../journal/journal.table.js';

/** Makes the journal's events of what a run tells. */
export type EventSource = Pick<EventJournalBridge, 'eventOf'>;

/** The journal of the runs of a store: each event is written in the transaction of the step it belongs to. */
export class StepJournal {
  #written = 0;

  constructor(
    readonly table: Pick<JournalTable, 'insertAgain' | 'lastSequences' | 'payloads'>,
    readonly source: EventSource,
  ) {}

  /** Nothing is ever queued or dropped: an event counts once the step it belongs to is committed. */
  counters(): JournalCounters {
    const written = this.#written;
    return { appended: written, written, queued: 0, dropped: 0, failures: 0, lastError: undefined };
  }

  /** @param lastSequence the number of the run's last event in the table; 0 if it has none */
  eventsOf(lastSequence: number): StepEvents {
    return new StepEvents(this, lastSequence);
  }

  /** For a run that goes on. */
  async eventsAfter(runId: string, executor?: SqlExecutor): Promise<StepEvents> {
    const last = await this.table.lastSequences([runId], executor);
    return this.eventsOf(last.get(runId) ?? 0);
  }

  /**
   * The exit of a run that nobody could bring to its end, with what gives it up.
   * @param started calls without a result: the process that made them may have died before it could tell of them
   */
  async exit(
    transaction: SqlExecutor,
    exited: LoopExitedPayload,
    context: AgentCallbackContext,
    started: readonly ToolDispatchedPayload[] = [],
  ): Promise<void> {
    const events = await this.eventsAfter(context.executionId, transaction);
    const heard = events.listen(context);
    const told = started.length > 0 ? await this.#told(context.executionId, transaction) : [];
    for (const call of started)
      if (!told.some(isOf(call))) void heard?.onAgentToolDispatched?.(call, context);
    events.exited(exited);
    events.committed(await events.write(transaction));
  }

  /** The calls that were told of. */
  async #told(executionId: string, transaction: SqlExecutor): Promise<readonly unknown[]> {
    const payloads = await this.table.payloads(executionId, 'AGENT_TOOL_DISPATCHED', transaction);
    return payloads.map((payload): unknown => JSON.parse(payload));
  }

  count(written: number): void {
    this.#written += written;
  }
}

function isOf({ turnNumber, toolCallId }: ToolDispatchedPayload): (payload: unknown) => boolean {
  return (payload) =>
    typeof payload === 'object' &&
    payload !== null &&
    'turnNumber' in payload &&
    payload.turnNumber === turnNumber &&
    'toolCallId' in payload &&
    payload.toolCallId === toolCallId;
}

interface PendingEvent {
  readonly event: NewJournalEvent;
  /** The call whose result it tells; undefined for other events. */
  readonly resultOf: string | undefined;
  /** Given when it is first written. */
  sequenceNumber: number | undefined;
}

/** The events of one run since its last commit. What no commit follows is forgotten: whoever goes on tells it again. */
export class StepEvents {
  readonly #journal: StepJournal;
  #last: number;
  #context: AgentCallbackContext | undefined;
  #pending: readonly PendingEvent[] = [];

  constructor(journal: StepJournal, lastSequence: number) {
    this.#journal = journal;
    this.#last = lastSequence;
  }

  /** As `RunLog.listen`. */
  listen(context: AgentCallbackContext): ReturnType<NonNullable<RunLog['listen']>> {
    this.#context = context;
    return {
      onAgentTurnStarted: (payload) => this.#add('AGENT_TURN_STARTED', payload, context),
      onAgentLlmCalled: (payload) => this.#add('AGENT_LLM_CALLED', payload, context),
      onAgentToolDispatched: (payload) => this.#add('AGENT_TOOL_DISPATCHED', payload, context),
      onAgentToolCompleted: (payload) =>
        this.#add('AGENT_TOOL_COMPLETED', payload, context, payload.toolCallId),
    };
  }

  /** Nothing if no loop has taken the run, or if it does not tell. In place of an earlier exit that was refused. */
  exited(payload: LoopExitedPayload | undefined): void {
    if (!payload || !this.#context) return;
    const refused = this.#pending.find(({ event }) => event.type === 'AGENT_LOOP_EXITED');
    this.#pending = this.#pending.filter((event) => event !== refused);
    this.#add('AGENT_LOOP_EXITED', payload, this.#context, undefined, refused?.sequenceNumber);
  }

  /**
   * Writes what is pending as a part of a transaction, one at a time, and gives it, for `committed`. Rows that are
   * there already are from a try whose answer was lost.
   * @param toolCallId the step is of this call: the results of others wait for their own. Default: everything
   */
  async write(transaction: SqlExecutor, toolCallId?: string): Promise<readonly object[]> {
    const events = this.#pending.filter(
      ({ resultOf, sequenceNumber }) =>
        sequenceNumber !== undefined || !toolCallId || !resultOf || resultOf === toolCallId,
    );
    const rows = events.map((event) => {
      event.sequenceNumber ??= this.#last += 1;
      return { event: event.event, sequenceNumber: event.sequenceNumber };
    });
    if (rows.length > 0) await this.#journal.table.insertAgain(rows, transaction);
    return events;
  }

  /** These are in the table for good. */
  committed(events: readonly object[]): void {
    const written = new Set(events);
    this.#pending = this.#pending.filter((event) => !written.has(event));
    this.#journal.count(written.size);
  }

  #add(
    type: JournalEventType,
    payload: object,
    context: AgentCallbackContext,
    resultOf?: string,
    sequenceNumber?: number,
  ): void {
    const event = this.#journal.source.eventOf(type, payload, context);
    this.#pending = [...this.#pending, { event, resultOf, sequenceNumber }];
  }
}
