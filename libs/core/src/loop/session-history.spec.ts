import { describe, expect, it, vi } from 'vitest';
import { endOfTurn } from '../../../../test/support/provider-server.js';
import { rejection } from '../../../../test/support/run-outcome.js';
import {
  calls,
  deferred,
  recordingListener,
  scriptedAgent,
} from '../../../../test/support/scripted-agent.js';
import { AgentException } from '../errors/agent.exception.js';
import { SessionConflictException } from '../errors/session-conflict.exception.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryDurableRunStore } from '../runs/in-memory-durable-run.store.js';
import { InMemoryConversationStore } from '../sessions/in-memory-conversation.store.js';

describe('a session', () => {
  it('keeps a question that follows an empty answer', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent } = scriptedAgent({ script: [{ text: '' }, { text: 'two' }], services: { sessions } });
    const context = OperatorContext.root({ sessionId: 's' });
    await agent.execute('first', context);
    await agent.execute('second', context);
    const stored = sessions.load('s').messages.map(({ role, content }) => `${role} ${content}`);
    expect(stored).toEqual(['user first', 'assistant ', 'user second', 'assistant two']);
  });

  it('can be resumed after a question that followed an empty answer', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent } = scriptedAgent({
      script: [{ text: '' }, { error: new Error('down') }, { text: 'two' }],
      services: { sessions },
    });
    const context = OperatorContext.root({ sessionId: 's' });
    await agent.execute('first', context);
    const { checkpoint } = await rejection(agent.execute('second', context));
    await agent.resume(checkpoint, context);
    expect(sessions.load('s').messages.map(({ content }) => content)).toEqual(['first', '', 'second', 'two']);
  });

  it('refuses a checkpoint that only ends like what is stored', async () => {
    const sessions = new InMemoryConversationStore();
    const { agent } = scriptedAgent({
      script: (_, call) =>
        call === 2 ? { error: new Error('down') } : call % 2 ? calls(['ping']) : { text: '' },
      tools: { ping: () => 'pong' },
      services: { sessions },
    });
    const context = OperatorContext.root({ sessionId: 's' });
    const { checkpoint } = await rejection(agent.execute('first', context));
    await agent.execute('second', context);
    expect(await rejection(agent.resume(checkpoint, context))).toBeInstanceOf(SessionConflictException);
    expect(sessions.load('s').messages.map(({ content }) => content)).toEqual(['second', null, 'pong', '']);
  });

  it('does not get the system prompt into its middle when the input begins with it', async () => {
    const { agent, provider } = scriptedAgent({
      script: () => ({ text: 'ok' }),
      define: (builder) => builder.systemPrompt('Be kind.'),
    });
    const context = OperatorContext.root({ sessionId: 's' });
    await agent.execute('first', context);
    await agent.execute([{ role: 'system', content: 'Be kind.' }, 'second'], context);
    expect(provider.requests[1]?.messages.map(({ content }) => content)).toEqual([
      'Be kind.',
      'first',
      'ok',
      'second',
    ]);
  });

  it('is given up by a run that is aborted in the line, and the next in line gets it', async () => {
    const controller = new AbortController();
    const gate = deferred<{ text: string }>();
    const listener = recordingListener();
    const { agent } = scriptedAgent({
      script: (_, call) => (call === 1 ? gate.promise : { text: 'later' }),
      services: { listeners: [listener] },
    });
    const context = OperatorContext.root({ sessionId: 's' });
    const impatient = OperatorContext.root({ sessionId: 's', signal: controller.signal });
    const first = agent.execute('A', context);
    const second = rejection(agent.execute('B', impatient, { runId: 'b' }));
    const third = agent.execute('C', context);
    await endOfTurn();
    controller.abort(new Error('enough'));
    expect(await second).toMatchObject({ code: 'aborted', runId: 'b', checkpoint: { turnCount: 0 } });
    gate.resolve({ text: 'done' });
    expect((await first).content).toBe('done');
    expect((await third).content).toBe('later');
  });
});

describe('a run that was claimed and waits for its session', () => {
  it('ends when it is cancelled: left to itself it would be claimed again and again', async () => {
    const sessions = new InMemoryConversationStore();
    const runs = new InMemoryDurableRunStore();
    const { agent } = scriptedAgent({ script: [{ text: 'never' }], services: { sessions, runs } });
    const release = await sessions.lock('s');
    runs.enqueue({ runId: 'r', agentId: 'agent', sessionId: 's', input: [{ role: 'user', content: 'go' }] });
    const controller = new AbortController();
    const context = OperatorContext.root({ sessionId: 's', signal: controller.signal });
    const failed = rejection(agent.recover(runs.claim('r')!, context));
    controller.abort('not needed');
    expect(await failed).toMatchObject({ code: 'aborted', runId: 'r' });
    expect(runs.find('r')).toMatchObject({ status: 'aborted', outcome: { exitReason: 'aborted' } });
    expect(runs.claim('r')).toBeUndefined();
    release();
  });

  it.each([
    ['corrupt_row', { status: 'failed', outcome: { exitReason: 'error', error: 'unreadable' } }],
    ['database_unavailable', { status: 'running' }],
  ])('that it cannot have for %s ends, unless the store will be back', async (code, expected) => {
    const sessions = new InMemoryConversationStore();
    vi.spyOn(sessions, 'load').mockImplementation(() => {
      throw new AgentException('unreadable', { code });
    });
    const runs = new InMemoryDurableRunStore();
    const exits = vi.fn();
    const listeners = [{ onAgentLoopExited: exits }];
    const { agent } = scriptedAgent({ script: [{ text: 'never' }], services: { sessions, runs, listeners } });
    runs.enqueue({ runId: 'r', agentId: 'agent', sessionId: 's', input: [{ role: 'user', content: 'go' }] });
    const context = OperatorContext.root({ sessionId: 's' });
    expect(await rejection(agent.recover(runs.claim('r')!, context))).toMatchObject({ code });
    expect(runs.find('r')).toMatchObject(expected);
    expect(exits).toHaveBeenCalledTimes(expected.status === 'failed' ? 1 : 0);
  });
});
