import { InMemoryConversationStore } from '@nestor/core';
import { AgentDatabase, TypeOrmConversationStore } from '@nestor/typeorm';
import { describe } from 'vitest';
import { describeDatabases } from '../support/agent-databases.js';
import { conversationStoreContract } from './conversation-store.contract.js';

describe('InMemoryConversationStore', () => {
  conversationStoreContract(async () => {
    const store = new InMemoryConversationStore({ maxSessions: 100_000 });
    return { store, other: () => store, close: async () => {} };
  });
});

await describeDatabases('TypeOrmConversationStore', (server) => {
  conversationStoreContract(async () => {
    const { url, drop } = await server.create();
    const databases = [await AgentDatabase.open({ url }), await AgentDatabase.open({ url })];
    const [store, other] = databases.map((database) => new TypeOrmConversationStore(database));
    return {
      store: store!,
      other: () => other!,
      close: async () => {
        await Promise.all(databases.map((database) => database.close()));
        await drop();
      },
    };
  });
});
