import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';
import type { AgentExecutionListener } from '../listeners/agent-execution.listener.js';
import type { RecoveredRun } from '../runs/run-history.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';

/** What may differ from run to run. */
export interface RunOptions {
  /** Default: a new UUID. */
  readonly runId?: string | undefined;
  /** Hear this run, after the listeners of all runs. */
  readonly listeners?: readonly Partial<AgentExecutionListener>[] | undefined;
  /** In place of the definition's, >= 1. */
  readonly maxTurns?: number | undefined;
  /** What to do if another run of the session is under way. Default `wait`. */
  readonly whenBusy?: 'wait' | 'refuse' | undefined;
}

/** One run as the loop takes it. */
export interface RunRequest extends RunOptions {
  /** The agent's name as an operator. */
  readonly ref: string;
  /** Anything `AgentInput.from` takes; undefined only when a checkpoint is resumed as it is. */
  readonly input: unknown;
  /** Who asks: caller, session, `ctx`, signal. */
  readonly context: OperatorContext;
  readonly checkpoint?: AgentCheckpoint | undefined;
  /** A run that was interrupted or waited, to go on with; it brings its own input. */
  readonly recovered?: RecoveredRun | undefined;
  /** Where chunks go; the run then streams. Gives a promise while the consumer is behind. */
  readonly sink?: ((chunk: AgentStreamChunk) => Promise<void> | undefined) | undefined;
}
