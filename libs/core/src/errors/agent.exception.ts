import type { AgentCheckpoint } from '../definition/agent-checkpoint.js';

export interface AgentExceptionOptions {
  readonly code: string;
  readonly cause?: unknown;
}

/**
 * The base of every error of this project. A tool that throws one stops the run; any other error a tool throws
 * goes back to the model as that tool's result.
 */
export class AgentException extends Error {
  /** A stable word for programs, e.g. `max_turns`. */
  readonly code: string;
  /** The run that failed; set on errors that leave a run. */
  runId?: string;
  /** Where the run stood; set on errors that leave a run. Its conversation is valid: every call has its result. */
  checkpoint?: AgentCheckpoint;

  constructor(message: string, options: AgentExceptionOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    // A logger that prints an error with all its properties must not print somebody's conversation.
    Object.defineProperty(this, 'checkpoint', { enumerable: false, writable: true, value: undefined });
  }
}
