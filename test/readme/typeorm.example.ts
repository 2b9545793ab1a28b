import {
  AgentBuilder,
  AgentLoopOperator,
  LlmChatOperator,
  OperatorContext,
  OperatorRegistry,
  type LlmProvider,
} from '@nestor/core';
import {
  AgentDatabase,
  EventJournal,
  EventJournalBridge,
  JournalTable,
  JournalWriter,
  TypeOrmConversationStore,
  TypeOrmRunStore,
  type JournalEvent,
} from '@nestor/typeorm';

export async function askAndTell(
  url: string,
  provider: LlmProvider,
): Promise<{ events: readonly JournalEvent[]; stored: number }> {
  const registry = OperatorRegistry.builder().register('llmChat', new LlmChatOperator(provider)).build();
  const def = AgentBuilder.create('support').model('gpt-4o-mini').build();

  const database = await AgentDatabase.open({ url });
  const sessions = new TypeOrmConversationStore(database, { maxMessages: 500 });
  const writer = new JournalWriter(new JournalTable(database), console);
  const bridge = new EventJournalBridge(writer, { redaction: { names: ['iban'] } });

  const agent = new AgentLoopOperator('support', def, registry, { sessions, listeners: [bridge] });
  const context = OperatorContext.root({ sessionId: 'ann' });
  const { runId } = await agent.execute('My account is locked', context);

  const store = new TypeOrmRunStore(database, { journal: bridge });
  await store.close();

  await writer.flush();
  const { events } = await new EventJournal(database).list({ runId });
  const stored = (await sessions.load('ann')).messages.length;

  await writer.close();
  await database.close();
  return { events, stored };
}
