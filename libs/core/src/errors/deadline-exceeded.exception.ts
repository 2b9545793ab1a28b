import { AgentException } from './agent.exception.js';

/** Thrown when a run took longer than its `deadline`. */
export class DeadlineExceededException extends AgentException {
  constructor(agentId: string, deadlineMs: number) {
    super(
      `Agent "${agentId}" did not finish within its deadline of ${deadlineMs} ms. ` +
        `Raise deadline, or resume from the checkpoint.`,
      { code: 'deadline' },
    );
  }
}
