import { describe, expect, it, vi } from 'vitest';
import { endOfTurn } from '../../../../test/support/provider-server.js';
import { exits, rejection } from '../../../../test/support/run-outcome.js';
import { calls, recordingListener, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import { FullMemory } from '../memory/full.memory.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryRunStore } from '../runs/in-memory-run.store.js';

const root = OperatorContext.root();

describe('a custom part that fails', () => {
  const broken = (part: 'factory' | 'append' | 'messages' | 'view') =>
    AgentMemoryStrategy.custom((initial) => {
      if (part === 'factory') throw new Error('broken memory');
      const memory = new FullMemory(initial);
      const fail = (): never => {
        throw new Error('broken memory');
      };
      return {
        append: part === 'append' ? fail : (message) => memory.append(message),
        messages: part === 'messages' ? fail : () => memory.messages(),
        view: part === 'view' ? () => Promise.reject(new Error('broken memory')) : () => memory.view(),
      };
    });

  it.each(['factory', 'append', 'messages', 'view'] as const)(
    'a memory at %s ends the run with its error; nothing stays open',
    async (part) => {
      const runs = new InMemoryRunStore();
      const listener = recordingListener();
      const { agent } = scriptedAgent({
        script: [calls(['ping']), { text: 'done' }],
        tools: { ping: () => 'pong' },
        define: (builder) => builder.memory(broken(part)),
        services: { runs, listeners: [listener] },
      });
      const context = OperatorContext.root({ sessionId: 's' });
      const error = await rejection(agent.execute('go', context));
      expect(error).toMatchObject({ message: expect.stringContaining('broken memory'), code: 'error' });
      expect(error).toMatchObject({ runId: expect.any(String), checkpoint: expect.any(Object) });
      expect(runs.list().map(({ status }) => status)).not.toContain('running');
      expect(exits(listener.heard).length).toBeLessThanOrEqual(1);
      // The session is free again.
      await rejection(agent.execute('go', context, { whenBusy: 'refuse' })).then((again) =>
        expect(again.message).toContain('broken memory'),
      );
    },
  );

  it('an exit condition that throws ends the run with its error', async () => {
    const listener = recordingListener();
    const { agent } = scriptedAgent({
      script: () => calls(['ping']),
      tools: { ping: () => 'pong' },
      define: (builder) =>
        builder.exitCondition(() => {
          throw new Error('broken condition');
        }),
      services: { listeners: [listener] },
    });
    const error = await rejection(agent.execute('go', root));
    expect(error.message).toContain('broken condition');
    expect(error.checkpoint.conversation).toHaveLength(3);
    expect(exits(listener.heard)).toEqual(['error']);
  });

  it('an exit condition that gives a promise is refused, not taken for true', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { agent } = scriptedAgent({
      script: [calls(['ping']), { text: 'done' }],
      tools: { ping: () => 'pong' },
      define: (builder) => builder.exitCondition(() => Promise.reject(new Error('late'))),
    });
    const error = await rejection(agent.execute('go', root));
    expect(error.message).toMatch(/exit condition.*promise/i);
    await endOfTurn();
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('a system prompt that throws ends the run with its error, and frees the session', async () => {
    const runs = new InMemoryRunStore();
    const { agent } = scriptedAgent({
      script: [],
      define: (builder) =>
        builder.systemPrompt(() => {
          throw new Error('broken prompt');
        }),
      services: { runs },
    });
    const context = OperatorContext.root({ sessionId: 's' });
    for (const runId of ['a', 'b']) {
      const error = await rejection(agent.execute('go', context, { runId, whenBusy: 'refuse' }));
      expect(error).toMatchObject({ message: expect.stringContaining('broken prompt'), runId });
    }
    expect(runs.list()).toEqual([]);
  });

  it('a summarizer maker that throws leaves no run open', async () => {
    const runs = new InMemoryRunStore();
    const { agent } = scriptedAgent({
      script: [],
      define: (builder) => builder.memory(AgentMemoryStrategy.summary(2)),
      services: {
        runs,
        summarizerFor: () => {
          throw new Error('broken maker');
        },
      },
    });
    expect((await rejection(agent.execute('go', root))).message).toContain('broken maker');
    expect(runs.list().map(({ status }) => status)).not.toContain('running');
  });
});
