import type { RunOptions } from '@nestor/core';

/** What may be said about a run beside its input. */
export interface AgentRunOptions extends RunOptions {
  /** Conversations are kept per session. Default: none; the run starts from nothing and is not remembered. */
  readonly sessionId?: string | undefined;
  /** On whose behalf: request-like, `{ user }` at least. What tools and guards get as the caller. */
  readonly caller?: unknown;
  /** The `ctx` of definitions: values of the application, never of the model. */
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  /** Aborts the run. */
  readonly signal?: AbortSignal | undefined;
  /** W3C trace context, passed on to listeners. */
  readonly traceparent?: string | undefined;
}

/** What may be said about a run that is started and left to itself. */
export type AgentStartOptions = Pick<
  AgentRunOptions,
  'runId' | 'sessionId' | 'caller' | 'context' | 'traceparent'
>;
