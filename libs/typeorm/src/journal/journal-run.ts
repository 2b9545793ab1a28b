/** What became of the events of one run. */
export interface JournalReceipt {
  readonly written: number;
  /** Lost for good. */
  readonly dropped: number;
  /** False if events were lost: the journal of this run is partial. */
  readonly complete: boolean;
}

interface Waiting {
  /** Events that must have been dealt with. */
  readonly upTo: number;
  readonly resolve: () => void;
}

/** The events of one run that this process has appended. */
export class JournalRun {
  /** The last number in the table before our first event; undefined until the table was asked. */
  base: number | undefined;
  exited = false;
  appended = 0;
  written = 0;
  dropped = 0;
  /** Why the last that was dropped was. */
  lostFor: string | undefined;
  #waiting: Waiting[] = [];

  constructor(readonly executionId: string) {}

  /** True if nothing of it is on its way. */
  get idle(): boolean {
    return this.written + this.dropped === this.appended;
  }

  receipt(): JournalReceipt {
    return { written: this.written, dropped: this.dropped, complete: this.dropped === 0 };
  }

  settle(outcome: 'written' | 'dropped'): void {
    this[outcome] += 1;
    const done = this.written + this.dropped;
    while (this.#waiting[0] && this.#waiting[0].upTo <= done) this.#waiting.shift()?.resolve();
  }

  /** Resolves once all that is appended by now has been written or dropped. */
  settled(): Promise<void> {
    if (this.idle) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ upTo: this.appended, resolve }));
  }
}
