import type { PendingApproval } from '../definition/pending-approval.js';
import type {
  AgentCallbackContext,
  AgentExecutionListener,
  ExitReason,
  LoopExitedPayload,
} from '../listeners/agent-execution.listener.js';
import type { LlmResponse } from '../llm/llm.provider.js';
import type { LlmUsage } from '../llm/llm-usage.js';
import type { LlmMessage } from '../messages/llm-message.js';

export interface NewRun {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionId: string | undefined;
  /** The messages the run was asked with, without the system prompt and the session's history. */
  readonly input: readonly LlmMessage[];
  /** The `ctx` of definitions, JSON-safe: whoever goes on with the run needs it. */
  readonly ctx?: Readonly<Record<string, unknown>> | undefined;
  /** The caller as the application serialised it; undefined if there is none. */
  readonly caller?: unknown;
}

/** A tool call of a recorded answer, before it is made. */
export interface ToolStartedStep {
  /** 0-based place among the calls of its turn. */
  readonly ordinal: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly idempotencyKey: string;
  /** Set if a person must decide first: the tool is not called before that. */
  readonly approval?: PendingApproval | undefined;
}

/** A model answer, together with the calls that follow from it: one commit. */
export interface AnswerStep {
  readonly turn: number;
  readonly response: LlmResponse;
  readonly calls: readonly ToolStartedStep[];
}

export interface ToolResultStep extends ToolStartedStep {
  readonly turn: number;
  readonly success: boolean;
  /** The tool message's text. */
  readonly text: string;
  /** The JSON-safe result. */
  readonly result: unknown;
}

export interface RunOutcome {
  readonly exitReason: ExitReason;
  readonly turnsUsed: number;
  readonly totalTokens: number;
  /** The error's message, if the run failed. */
  readonly error: string | undefined;
  /** What the run answered; undefined if it failed. */
  readonly output?: RunResult | undefined;
}

/** The part of an `AgentOutput` that is kept when the run is over; its conversation is in the steps. */
export interface RunResult {
  readonly content: string;
  readonly finishReason: string;
  readonly usage: LlmUsage;
  /** The validated answer, if the agent has a response format. */
  readonly value?: unknown;
}

export type RunStatus = 'queued' | 'running' | 'suspended' | 'completed' | 'failed' | 'aborted';

export interface RunSummary {
  readonly runId: string;
  readonly agentId: string;
  readonly sessionId: string | undefined;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly outcome: RunOutcome | undefined;
}

/**
 * The log of one run, held by whoever executes it. The loop records a step **before** it acts on it: an answer
 * before its tools are called, a result before the next model call. A method that rejects stops the run.
 */
export interface RunLog {
  /** Aborts when the right to write is lost, or about to be: the run stops at once. Default: never. */
  readonly lost?: AbortSignal | undefined;
  /**
   * Called once by the loop that takes the log: gives what hears the run's events before all other listeners, so that
   * a step and the events before it can be one commit. The exit comes with `ended`. Default: nothing.
   */
  listen?(
    context: AgentCallbackContext,
  ): Partial<Omit<AgentExecutionListener, 'onAgentLoopExited'>> | undefined;
  answered(step: AnswerStep): void | Promise<void>;
  /** An approved call, before it is made. */
  toolStarted?(step: ToolStartedStep): void | Promise<void>;
  toolCompleted(step: ToolResultStep): void | Promise<void>;
  /**
   * A call that is recorded as started and was not made, in a run that is left to others: they make it. Default:
   * nothing; then nobody knows that it was not made.
   */
  toolNotMade?(step: ToolStartedStep): void | Promise<void>;
  /**
   * The run waits for people and ends here for now: it holds no memory, timer or connection until it is taken over
   * again. A log without this method cannot wait; tools that need approval are then not called.
   */
  suspended?(pending: readonly PendingApproval[]): void | Promise<void>;
  /**
   * Gives false if the run was not ended but left to others, for whom it goes on.
   * @param exited what the listeners are told of it next
   */
  ended(outcome: RunOutcome, exited?: LoopExitedPayload): void | false | Promise<void | false>;
  /**
   * Gives the run back as it stands, for anybody to claim at once: for whoever cannot go on with it. Without effect
   * once it has ended, waits, or belongs to somebody else. Default: it is free when its lease has run out.
   */
  release?(): void | Promise<void>;
}

export interface RunQuery {
  /** Runs given at most, >= 1. Default 50. */
  readonly limit?: number;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly status?: RunStatus;
  /** The last run of the page before: only runs that are older are given. */
  readonly before?: string;
}

/** Where runs are kept. */
export interface RunStore {
  open(run: NewRun): RunLog | Promise<RunLog>;
  find(runId: string): RunSummary | undefined | Promise<RunSummary | undefined>;
  /** Newest first. @throws AgentException `unknown_run` if there is no run `before` */
  list(query?: RunQuery): readonly RunSummary[] | Promise<readonly RunSummary[]>;
}
