import { describe, expect, it } from 'vitest';
import { calls, deferred, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { SessionBusyException } from '../errors/session-busy.exception.js';
import { SessionConflictException } from '../errors/session-conflict.exception.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryConversationStore } from '../sessions/in-memory-conversation.store.js';

const inSession = OperatorContext.root({ sessionId: 's' });

describe('a session', () => {
  it('is remembered by the next run, without the system prompt', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent, provider } = scriptedAgent({
      script: [calls(['ping']), { text: 'one' }, { text: 'two' }],
      tools: { ping: () => 'pong' },
      define: (builder) => builder.systemPrompt('Be kind.'),
      services: { sessions },
    });
    await agent.execute('first', inSession);
    await agent.execute('second', inSession);
    expect(provider.requests[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Be kind.'],
      ['user', 'first'],
      ['assistant', null],
      ['tool', 'pong'],
      ['assistant', 'one'],
      ['user', 'second'],
    ]);
    expect(sessions.load('s').messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('B130: never has two runs at once, and keeps each question with its answer', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent } = scriptedAgent({
      script: ({ messages }) => ({ text: `answer to ${messages.at(-1)?.content}` }),
      services: { sessions },
    });
    await Promise.all([agent.execute('A', inSession), agent.execute('B', inSession)]);
    expect(sessions.load('s').messages.map(({ content }) => content)).toEqual([
      'A',
      'answer to A',
      'B',
      'answer to B',
    ]);
  });

  it('B130: refuses the second run where asked to, with a typed error', async () => {
    const gate = deferred<{ text: string }>();
    const { agent } = scriptedAgent({ script: () => gate.promise });
    const first = agent.execute('A', inSession);
    await expect(agent.execute('B', inSession, { whenBusy: 'refuse' })).rejects.toBeInstanceOf(
      SessionBusyException,
    );
    gate.resolve({ text: 'done' });
    expect((await first).content).toBe('done');
  });

  it('stays as it was when a run fails, and is free again', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent } = scriptedAgent({
      script: [{ error: new Error('down') }, { text: 'up' }],
      services: { sessions },
    });
    await expect(agent.execute('A', inSession)).rejects.toThrow('down');
    expect(sessions.load('s').version).toBe(0);
    expect((await agent.execute('A', inSession)).content).toBe('up');
  });

  it('gets what a resumed run adds, once', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent } = scriptedAgent({
      script: [{ text: 'hello' }, calls(['ping']), { text: 'done' }],
      tools: { ping: () => 'pong' },
      define: (builder) => builder.maxTurns(1),
      services: { sessions },
    });
    await agent.execute('hi', inSession);
    const error = await agent.execute('go', inSession).catch((thrown: unknown) => thrown);
    const { checkpoint } = error as { checkpoint: Parameters<typeof agent.resume>[0] };
    await agent.resume(checkpoint, inSession, { maxTurns: 5 });
    expect(sessions.load('s').messages.map(({ content }) => content)).toEqual([
      'hi',
      'hello',
      'go',
      null,
      'pong',
      'done',
    ]);
  });

  it('refuses a checkpoint that does not continue it', async () => {
    const { agent } = scriptedAgent({ script: () => ({ text: 'hello' }) });
    await agent.execute('hi', inSession);
    const other = {
      conversation: [{ role: 'user', content: 'else' } as const],
      turnCount: 1,
      toolResults: {},
    };
    await expect(agent.resume(other, inSession)).rejects.toBeInstanceOf(SessionConflictException);
  });
});
