import { Test } from '@nestjs/testing';
import { AgentBuilder, InMemoryConversationStore, ScriptedProvider } from '@nestor/core';
import { expect, it } from 'vitest';
import type { AgentModuleExtras, AgentModuleOptions } from '../agent-module.options.js';
import { AgentModule } from '../agent.module.js';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { AgentSessions } from './agent-sessions.js';

const database = { url: 'sqlite::memory:' };

it.each<[string, AgentModuleOptions & AgentModuleExtras, boolean]>([
  ['in memory', {}, true],
  ['in memory with a database for the journal alone', { database, eventJournal: { enabled: true } }, true],
  ['in the database of durable runs', { database, durability: 'run' }, false],
  [
    'in the store that was given, durable runs or not',
    { database, durability: 'run', conversationStore: new InMemoryConversationStore() },
    true,
  ],
])('sessions are %s, and the runs use the same', async (_, options, inMemory) => {
  const root = AgentModule.forRoot({
    agents: [AgentBuilder.create('a').model('m')],
    llm: { provider: new ScriptedProvider(() => ({ text: 'Hello.' })) },
    ...options,
  });
  const app = await (await Test.createTestingModule({ imports: [root] }).compile()).init();
  try {
    await app.get(AgentLoopService).run('a', 'Hi', { sessionId: 's' });
    const { store } = app.get(AgentSessions);
    expect(store instanceof InMemoryConversationStore).toBe(inMemory);
    expect(store).toBe(options.conversationStore ?? store);
    expect((await store.load('s')).messages.map(({ content }) => content)).toEqual(['Hi', 'Hello.']);
  } finally {
    await app.close();
  }
});

it('a lease that no store takes stops the boot', async () => {
  const llm = { provider: new ScriptedProvider([]) };
  const root = AgentModule.forRoot({ llm, database, durability: 'run', leaseMs: 1 });
  const module = await Test.createTestingModule({ imports: [root] }).compile();
  await expect(module.init()).rejects.toThrow('leaseMs of the run store is 1');
});
