import { Inject, Injectable } from '@nestjs/common';
import {
  AgentException,
  InMemoryDurableRunStore,
  InMemoryRunStore,
  isDurableRunStore,
  type DurableRunStore,
  type RunStore,
} from '@nestor/core';
import {
  AGENT_DURABILITY,
  MODULE_OPTIONS_TOKEN,
  type AgentModuleOptions,
  type Durability,
} from '../agent-module.options.js';
import type { JournalCounters } from '../journal/event-journal.options.js';
import { AgentStorage, type TypeOrm } from './agent-storage.js';

/** Where the application's runs are kept: in what was given, else in the database if there is one, else in memory. */
@Injectable()
export class RunStores {
  #runs: RunStore;
  #durable: DurableRunStore | undefined;
  #database: InstanceType<TypeOrm['TypeOrmRunStore']> | undefined;

  /** @throws AgentException `invalid_options` if runs are to be durable and the given store cannot make them so. */
  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions | undefined,
    @Inject(AGENT_DURABILITY) private readonly durability: Durability,
    @Inject(AgentStorage) private readonly storage: AgentStorage,
  ) {
    const given = options?.runStore;
    if (durability === 'off') {
      this.#runs = given ?? new InMemoryRunStore();
      return;
    }
    const durable = given ?? new InMemoryDurableRunStore();
    if (!isDurableRunStore(durable)) {
      throw new AgentException(
        `AgentModule: durability is 'run', but the runStore has no claim and decide. Give a DurableRunStore, or none for the one in memory.`,
        { code: 'invalid_options' },
      );
    }
    this.#runs = durable;
    this.#durable = durable;
  }

  get runs(): RunStore {
    return this.#runs;
  }

  /** The same store, if runs are durable. */
  get durable(): DurableRunStore | undefined {
    return this.#durable;
  }

  /**
   * Moves into the database, if there is one for runs. Call it when the storage is open.
   * @param journal the bridge whose events are to be written with the steps of the runs
   */
  open(journal: InstanceType<TypeOrm['EventJournalBridge']> | undefined): void {
    const { opened } = this.storage;
    if (this.durability === 'off' || this.options?.runStore || !opened) return;
    const store = new opened.typeorm.TypeOrmRunStore(opened.database, {
      journal,
      ...(this.options?.leaseMs !== undefined && { leaseMs: this.options.leaseMs }),
    });
    this.#runs = store;
    this.#durable = store;
    this.#database = store;
  }

  /** Of the journal that is written with the steps; undefined if there is none. */
  get journalCounters(): JournalCounters | undefined {
    return this.#database?.journalCounters();
  }

  /** Puts something round the store, for those who start runs and for those who take them over alike. */
  wrap(round: (runs: RunStore) => RunStore): void {
    this.#runs = round(this.#runs);
    this.#durable = isDurableRunStore(this.#runs) && this.#durable ? this.#runs : undefined;
  }

  /** Gives up what this process still holds. Call it when its runs have ended, before the storage is closed. */
  async close(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
  }
}
