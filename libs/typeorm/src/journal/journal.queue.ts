import type { NewJournalEvent } from './journal-event.js';
import type { JournalRun } from './journal-run.js';

export interface QueuedEvent {
  readonly event: NewJournalEvent;
  readonly run: JournalRun;
  /** 1, 2, … among the events of the run that this process has appended. */
  readonly ordinal: number;
}

/** What a row weighs besides its payload: names, and what the engine needs. */
const ROW_CHARACTERS = 300;
const BATCH_ROWS = 200;
const BATCH_CHARACTERS = 400_000;

/** Events in line, bounded in number and in size. */
export class JournalQueue {
  readonly #maxRows: number;
  readonly #maxCharacters: number;
  #events: QueuedEvent[] = [];
  #characters = 0;

  constructor(maxRows: number, maxCharacters: number) {
    this.#maxRows = maxRows;
    this.#maxCharacters = maxCharacters;
  }

  get size(): number {
    return this.#events.length;
  }

  /** True once there is enough for a statement. */
  get ripe(): boolean {
    return this.#events.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS;
  }

  /** Gives false, and takes nothing, if there is no room. */
  push(queued: QueuedEvent): boolean {
    const size = sizeOf(queued);
    if (this.#events.length >= this.#maxRows || this.#characters + size > this.#maxCharacters) return false;
    this.#events.push(queued);
    this.#characters += size;
    return true;
  }

  /** As many as one statement takes, at least one. */
  take(): QueuedEvent[] {
    let count = 0;
    let characters = 0;
    for (const queued of this.#events) {
      const size = sizeOf(queued);
      if (count > 0 && (count >= BATCH_ROWS || characters + size > BATCH_CHARACTERS)) break;
      count += 1;
      characters += size;
    }
    this.#characters -= characters;
    return this.#events.splice(0, count);
  }
}

function sizeOf({ event }: QueuedEvent): number {
  return event.payload.length + ROW_CHARACTERS;
}
