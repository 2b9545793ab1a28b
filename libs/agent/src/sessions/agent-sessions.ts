import { Inject, Injectable } from '@nestjs/common';
import { InMemoryConversationStore, type ConversationStore } from '@nestor/core';
import {
  AGENT_DURABILITY,
  MODULE_OPTIONS_TOKEN,
  type AgentModuleOptions,
  type Durability,
} from '../agent-module.options.js';
import { AgentStorage } from '../storage/agent-storage.js';

/** Where the application's sessions are kept: in what was given, else with durable runs in their database, else in memory. */
@Injectable()
export class AgentSessions {
  #store: ConversationStore;

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions | undefined,
    @Inject(AGENT_DURABILITY) private readonly durability: Durability,
    @Inject(AgentStorage) private readonly storage: AgentStorage,
  ) {
    this.#store = options?.conversationStore ?? new InMemoryConversationStore();
  }

  get store(): ConversationStore {
    return this.#store;
  }

  /** Moves into the database, if runs are there: every process must see the same. Call it when the storage is open. */
  open(): ConversationStore {
    const { opened } = this.storage;
    if (opened && this.durability === 'run' && !this.options?.conversationStore) {
      const { leaseMs } = this.options ?? {};
      const options = leaseMs === undefined ? {} : { leaseMs };
      this.#store = new opened.typeorm.TypeOrmConversationStore(opened.database, options);
    }
    return this.#store;
  }
}
