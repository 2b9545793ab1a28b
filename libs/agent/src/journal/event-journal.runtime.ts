import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AgentExecutionListener, RunStore } from '@nestor/core';
import { AgentStorage, type TypeOrm } from '../storage/agent-storage.js';
import {
  EVENT_JOURNAL_OPTIONS,
  type EventJournalOptions,
  type JournalCounters,
} from './event-journal.options.js';
import { strictRuns } from './strict-runs.js';

interface OpenJournal {
  readonly writer: InstanceType<TypeOrm['JournalWriter']>;
  readonly bridge: InstanceType<TypeOrm['EventJournalBridge']>;
}

/** The journal of the application: opened when it starts, if it is switched on, and written out when it stops. */
@Injectable()
export class EventJournalRuntime {
  readonly #logger = new Logger('AgentJournal');
  #open: OpenJournal | undefined;

  constructor(
    @Inject(EVENT_JOURNAL_OPTIONS) private readonly options: EventJournalOptions,
    @Inject(AgentStorage) private readonly storage: AgentStorage,
  ) {}

  /** Hears the runs; undefined if the journal is off. */
  get listener(): AgentExecutionListener | undefined {
    return this.#open?.bridge;
  }

  /** Undefined if the journal is off. */
  get counters(): JournalCounters | undefined {
    return this.#open?.writer.counters();
  }

  /** Call it when the storage is open. */
  open(): void {
    const { opened } = this.storage;
    if (!this.options.enabled || !opened) return;
    const { EventJournalBridge, JournalTable, JournalWriter } = opened.typeorm;
    const logger = this.#logger;
    const { mode = 'best-effort', redaction = {} } = this.options;
    const writer = new JournalWriter(new JournalTable(opened.database), logger, { mode });
    this.#open = { writer, bridge: new EventJournalBridge(writer, { redaction, logger }) };
  }

  /** The store as the runs use it: in strict mode a run waits until its events are written. */
  guarded(runs: RunStore): RunStore {
    return this.#open && this.options.mode === 'strict' ? strictRuns(runs, this.#open.bridge) : runs;
  }

  /** Writes what is queued. Call it before the storage is closed. */
  async close(): Promise<void> {
    await this.#open?.writer.close();
    this.#open = undefined;
  }
}
