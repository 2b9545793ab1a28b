import { JournalRun } from './journal-run.js';

/** Runs that are remembered at most; one that comes back asks the table where it stood. */
const MOST_RUNS = 10_000;

/** The runs that have events on their way, may have more, or have lost some. */
export class JournalRuns {
  readonly #runs = new Map<string, JournalRun>();

  find(executionId: string): JournalRun | undefined {
    return this.#runs.get(executionId);
  }

  open(executionId: string): JournalRun {
    let run = this.#runs.get(executionId);
    if (!run) {
      run = new JournalRun(executionId);
      this.#runs.set(executionId, run);
      if (this.#runs.size > MOST_RUNS) this.#forgetOldest();
    }
    return run;
  }

  /** Forgets a run that is over, unless someone must still hear of its losses. */
  leave(run: JournalRun): void {
    if (run.exited && run.idle && run.dropped === 0) this.#runs.delete(run.executionId);
  }

  forget(run: JournalRun): void {
    if (run.exited && run.idle) this.#runs.delete(run.executionId);
  }

  #forgetOldest(): void {
    for (const [executionId, run] of this.#runs) {
      if (!run.idle) continue;
      this.#runs.delete(executionId);
      return;
    }
  }
}
