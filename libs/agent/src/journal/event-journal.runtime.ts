import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AgentException, type AgentExecutionListener, type RunStore } from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import {
  EVENT_JOURNAL_OPTIONS,
  type AgentDatabaseLocation,
  type EventJournalOptions,
  type JournalCounters,
} from './event-journal.options.js';
import { strictRuns } from './strict-runs.js';

type TypeOrm = typeof import('@nestor/typeorm');
type Database = Awaited<ReturnType<TypeOrm['AgentDatabase']['open']>>;

const DEFAULT_URL = 'sqlite:data/agent.db';

interface OpenJournal {
  readonly database: Database;
  readonly writer: InstanceType<TypeOrm['JournalWriter']>;
  readonly bridge: InstanceType<TypeOrm['EventJournalBridge']>;
}

/** The journal of the application: opened when it starts, if it is switched on, and written out when it stops. */
@Injectable()
export class EventJournalRuntime {
  readonly #logger = new Logger('AgentJournal');
  #open: OpenJournal | undefined;

  constructor(
    @Inject(EVENT_JOURNAL_OPTIONS) private readonly journal: EventJournalOptions,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  /** Hears the runs; undefined if the journal is off. */
  get listener(): AgentExecutionListener | undefined {
    return this.#open?.bridge;
  }

  /** Undefined if the journal is off. */
  get counters(): JournalCounters | undefined {
    return this.#open?.writer.counters();
  }

  /**
   * @throws AgentException `missing_package` with the install line; else what the database says.
   */
  async open(): Promise<void> {
    if (!this.journal.enabled) return;
    const { AgentDatabase, EventJournalBridge, JournalTable, JournalWriter } = await loadTypeOrm();
    const logger = this.#logger;
    const { mode = 'best-effort', redaction = {} } = this.journal;
    // The location is what its own checks take; the types of the package are not shown here.
    const location = this.#location() as Parameters<typeof AgentDatabase.open>[0];
    const database = await AgentDatabase.open(location, { logger });
    const writer = new JournalWriter(new JournalTable(database), logger, { mode });
    this.#open = { database, writer, bridge: new EventJournalBridge(writer, { redaction, logger }) };
  }

  /** The store as the runs use it: in strict mode a run waits until its events are written. */
  guarded(runs: RunStore): RunStore {
    return this.#open && this.journal.mode === 'strict' ? strictRuns(runs, this.#open.bridge) : runs;
  }

  /** Writes what is queued. */
  async close(): Promise<void> {
    await this.#open?.writer.close();
    await this.#open?.database.close();
    this.#open = undefined;
  }

  /** `database` of the options, else the application's own DataSource, else DATABASE_URL, else a file. */
  #location(): AgentDatabaseLocation {
    return (
      this.options.database ??
      this.#dataSourceOptions() ?? { url: process.env.DATABASE_URL?.trim() || DEFAULT_URL }
    );
  }

  /** By name: TypeORM's class is only here if the application brings it. */
  #dataSourceOptions(): AgentDatabaseLocation | undefined {
    for (const { token, instance } of this.discovery.getProviders()) {
      const isDataSource = typeof token === 'function' && token.name === 'DataSource';
      const source: unknown = instance;
      if (!isDataSource || typeof source !== 'object' || source === null || !('options' in source)) continue;
      return source.options as AgentDatabaseLocation;
    }
    return undefined;
  }
}

async function loadTypeOrm(): Promise<TypeOrm> {
  try {
    // The one way up this floor may look: nothing of it is loaded unless the journal is on.
    // oxlint-disable-next-line no-restricted-imports
    return await import('@nestor/typeorm');
  } catch (cause) {
    const { message } = cause as Error; // import() rejects with errors
    const missing = /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] ?? '@nestor/typeorm';
    throw new AgentException(
      `eventJournal is enabled, and "${missing}" cannot be loaded (${message}). ` +
        `Install what it needs: npm i @nestor/typeorm typeorm, and libsql, pg or mysql2 for your database.`,
      { code: 'missing_package', cause },
    );
  }
}
