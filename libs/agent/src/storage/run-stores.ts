import { Inject, Injectable } from '@nestjs/common';
import {
  AgentException,
  InMemoryDurableRunStore,
  InMemoryRunStore,
  type DurableRunStore,
  type RunStore,
} from '@nestor/core';
import {
  AGENT_DURABILITY,
  MODULE_OPTIONS_TOKEN,
  type AgentModuleOptions,
  type Durability,
} from '../agent-module.options.js';

/** Where the application's runs are kept. */
@Injectable()
export class RunStores {
  readonly runs: RunStore;
  /** The same store, if runs are durable. */
  readonly durable: DurableRunStore | undefined;

  /** @throws AgentException `invalid_options` if runs are to be durable and the given store cannot make them so. */
  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) options: AgentModuleOptions | undefined,
    @Inject(AGENT_DURABILITY) durability: Durability,
  ) {
    const given = options?.runStore;
    if (durability === 'off') {
      this.runs = given ?? new InMemoryRunStore();
      return;
    }
    const durable = given ?? new InMemoryDurableRunStore();
    if (!isDurable(durable)) {
      throw new AgentException(
        `AgentModule: durability is 'run', but the runStore has no claim and decide. Give a DurableRunStore, or none for the one in memory.`,
        { code: 'invalid_options' },
      );
    }
    this.runs = durable;
    this.durable = durable;
  }
}

function isDurable(store: RunStore): store is DurableRunStore {
  return 'claim' in store && 'decide' in store;
}
