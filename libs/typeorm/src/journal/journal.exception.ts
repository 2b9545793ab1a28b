import { AgentException } from '@nestor/core';

/** Thrown where a run must not go on without its journal (`mode: 'strict'`). */
export class JournalException extends AgentException {
  readonly executionId: string;
  /** Events of the run that are lost. */
  readonly dropped: number;

  constructor(executionId: string, dropped: number, reason: string) {
    super(
      `${dropped} events of run "${executionId}" could not be written to the journal: ${reason}. ` +
        `Mend the database and run again, or use mode: 'best-effort'.`,
      { code: 'journal_failed' },
    );
    this.executionId = executionId;
    this.dropped = dropped;
  }
}
