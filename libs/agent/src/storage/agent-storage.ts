import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { AgentException } from '@nestor/core';
import {
  AGENT_DURABILITY,
  MODULE_OPTIONS_TOKEN,
  type AgentModuleOptions,
  type Durability,
} from '../agent-module.options.js';
import {
  EVENT_JOURNAL_OPTIONS,
  type AgentDatabaseLocation,
  type EventJournalOptions,
} from '../journal/event-journal.options.js';

export type TypeOrm = typeof import('@nestor/typeorm');
export type OpenDatabase = Awaited<ReturnType<TypeOrm['AgentDatabase']['open']>>;

const DEFAULT_URL = 'sqlite:data/agent.db';

/** The application's own connection to its tables, if anything needs one. */
@Injectable()
export class AgentStorage {
  readonly #logger = new Logger('AgentStorage');
  #opened: { readonly typeorm: TypeOrm; readonly database: OpenDatabase } | undefined;

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
    @Inject(AGENT_DURABILITY) private readonly durability: Durability,
    @Inject(EVENT_JOURNAL_OPTIONS) private readonly journal: EventJournalOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  /** Undefined if nothing needs a database. */
  get opened(): { readonly typeorm: TypeOrm; readonly database: OpenDatabase } | undefined {
    return this.#opened;
  }

  /**
   * Opens the database, with its migrations, if the journal is on, or if runs are durable and there is a database for
   * them.
   * @throws AgentException `missing_package` with the install line; else what the database says.
   */
  async open(): Promise<void> {
    const known = this.options.database ?? this.#dataSourceOptions() ?? urlOfEnvironment();
    const wanted = this.journal.enabled || (this.durability === 'run' && !this.options.runStore && known);
    if (!wanted) return;
    const typeorm = await loadTypeOrm();
    // The location is what its own checks take; the types of the package are not shown to applications without it.
    const location = (known ?? { url: DEFAULT_URL }) as Parameters<typeof typeorm.AgentDatabase.open>[0];
    const database = await typeorm.AgentDatabase.open(location, { logger: this.#logger });
    this.#opened = { typeorm, database };
  }

  async close(): Promise<void> {
    await this.#opened?.database.close();
    this.#opened = undefined;
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

function urlOfEnvironment(): AgentDatabaseLocation | undefined {
  const url = process.env.DATABASE_URL?.trim();
  return url ? { url } : undefined;
}

async function loadTypeOrm(): Promise<TypeOrm> {
  try {
    // The one way up this floor may look: nothing of it is loaded unless a database is needed.
    // oxlint-disable-next-line no-restricted-imports
    return await import('@nestor/typeorm');
  } catch (cause) {
    const { message } = cause as Error; // import() rejects with errors
    const missing = /Cannot find (?:package|module) '([^']+)'/.exec(message)?.[1] ?? '@nestor/typeorm';
    throw new AgentException(
      `The journal or durable runs need a database, and "${missing}" cannot be loaded (${message}). ` +
        `Install what they need: npm i @nestor/typeorm typeorm, and libsql, pg or mysql2 for your database.`,
      { code: 'missing_package', cause },
    );
  }
}
