import {
  SILENT_LOGGER,
  wellFormed,
  type AgentCallbackContext,
  type AgentExecutionListener,
  type AgentLogger,
  type LlmCalledPayload,
  type LoopExitedPayload,
  type ToolCompletedPayload,
  type ToolDispatchedPayload,
  type TurnStartedPayload,
} from '@nestor/core';
import type { JournalEventType, NewJournalEvent } from './journal-event.js';
import type { JournalReceipt } from './journal-run.js';
import type { JournalWriter } from './journal.writer.js';
import { Redactor, type RedactionOptions } from './redaction.js';

export interface EventJournalBridgeOptions {
  readonly redaction?: RedactionOptions;
  /** Default: silent. */
  readonly logger?: AgentLogger;
}

/**
 * Makes each callback of a run an event of the journal. Give it to the loop as a listener, before others: it only
 * takes down what it hears and leaves the writing to its writer.
 */
export class EventJournalBridge implements AgentExecutionListener {
  readonly #writer: JournalWriter;
  readonly #redactor: Redactor;

  constructor(writer: JournalWriter, options: EventJournalBridgeOptions = {}) {
    this.#writer = writer;
    this.#redactor = new Redactor(options.redaction ?? {}, options.logger ?? SILENT_LOGGER);
  }

  onAgentTurnStarted(payload: TurnStartedPayload, context: AgentCallbackContext): void {
    this.#writer.append(this.eventOf('AGENT_TURN_STARTED', payload, context));
  }

  onAgentLlmCalled(payload: LlmCalledPayload, context: AgentCallbackContext): void {
    this.#writer.append(this.eventOf('AGENT_LLM_CALLED', payload, context));
  }

  onAgentToolDispatched(payload: ToolDispatchedPayload, context: AgentCallbackContext): void {
    this.#writer.append(this.eventOf('AGENT_TOOL_DISPATCHED', payload, context));
  }

  onAgentToolCompleted(payload: ToolCompletedPayload, context: AgentCallbackContext): void {
    this.#writer.append(this.eventOf('AGENT_TOOL_COMPLETED', payload, context));
  }

  onAgentLoopExited(payload: LoopExitedPayload, context: AgentCallbackContext): void {
    this.#writer.append(this.eventOf('AGENT_LOOP_EXITED', payload, context), true);
  }

  /** As `JournalWriter.settled`: what a strict run awaits before it acts, and rejects with. */
  settled(executionId: string): Promise<JournalReceipt> {
    return this.#writer.settled(executionId);
  }

  /** The event of a callback, redacted; for those who write it in a transaction of their own. */
  eventOf(type: JournalEventType, payload: object, context: AgentCallbackContext): NewJournalEvent {
    const { executionId, graphName, nodeId, operatorRef } = context;
    return {
      executionId,
      type,
      timestamp: Date.now(),
      graphName: wellFormed(graphName),
      nodeId: wellFormed(nodeId),
      operatorRef: wellFormed(operatorRef),
      payload: this.#redactor.redact({ ...payload }, type),
    };
  }
}
