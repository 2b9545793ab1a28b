import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AgentExecutionListener, RunStore } from '@nestor/core';
import { AgentStorage, type TypeOrm } from '../storage/agent-storage.js';
import {
  EVENT_JOURNAL_OPTIONS,
  type EventJournalOptions,
  type JournalCounters,
} from './event-journal.options.js';
import { RunStores } from '../storage/run-stores.js';
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
    @Inject(RunStores) private readonly stores: Pick<RunStores, 'journalCounters'>,
  ) {}

  /** Undefined if the journal is off. */
  get bridge(): OpenJournal['bridge'] | undefined {
    return this.#open?.bridge;
  }

  /** Hears the runs; undefined if the journal is off, or if the run store writes it with the steps. */
  get listener(): AgentExecutionListener | undefined {
    return this.stores.journalCounters ? undefined : this.bridge;
  }

  /** True if events of a run are lost by now. */
  isPartial(runId: string): boolean {
    return this.#open?.writer.receipt(runId)?.complete === false;
  }

  /** Undefined if the journal is off. */
  get counters(): JournalCounters | undefined {
    return this.stores.journalCounters ?? this.#open?.writer.counters();
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

  /** The store as the runs use it: in strict mode a run waits until the events it tells the listener are written. */
  guarded(runs: RunStore): RunStore {
    const { listener, bridge } = this;
    return listener && bridge && this.options.mode === 'strict' ? strictRuns(runs, bridge) : runs;
  }

  /** Writes what is queued. Call it before the storage is closed. */
  async close(): Promise<void> {
    await this.#open?.writer.close();
    this.#open = undefined;
  }
}
