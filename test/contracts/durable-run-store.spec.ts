import { InMemoryDurableRunStore } from '@nestor/core';
import { AgentDatabase, TypeOrmRunStore } from '@nestor/typeorm';
import { describe } from 'vitest';
import { describeDatabases } from '../support/agent-databases.js';
import { durableRunStoreContract } from './durable-run-store.contract.js';

describe('InMemoryDurableRunStore', () => {
  durableRunStoreContract(
    async () => {
      const store = new InMemoryDurableRunStore({ maxEnded: 100_000 });
      return { store, other: store, close: async () => {} };
    },
    { outlivesProcess: false },
  );
});

await describeDatabases('TypeOrmRunStore', (server) => {
  durableRunStoreContract(
    async () => {
      const { url, drop } = await server.create();
      const databases = [await AgentDatabase.open({ url }), await AgentDatabase.open({ url })];
      const [store, other] = databases.map((database) => new TypeOrmRunStore(database));
      return {
        store: store!,
        other: other!,
        startProcess: async () => {
          const database = await AgentDatabase.open({ url });
          return { store: new TypeOrmRunStore(database, { leaseMs: 1_500 }), kill: () => database.close() };
        },
        close: async () => {
          await Promise.all(databases.map((database) => database.close()));
          await drop();
        },
      };
    },
    { outlivesProcess: true },
  );
});
