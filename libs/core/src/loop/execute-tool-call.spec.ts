import { afterEach, describe, expect, it, vi } from 'vitest';
import { endOfTurn } from '../../../../test/support/provider-server.js';
import { exits, rejection } from '../../../../test/support/run-outcome.js';
import {
  calls,
  collectChunks,
  deferred,
  recordingListener,
  scriptedAgent,
} from '../../../../test/support/scripted-agent.js';
import { NodeChannel } from '../channel/node.channel.js';
import { AgentBuilder } from '../definition/agent.builder.js';
import { toolRef } from '../definition/tool-ref.js';
import { AgentException } from '../errors/agent.exception.js';
import { LlmChatOperator } from '../llm/llm-chat.operator.js';
import { ScriptedProvider } from '../llm/scripted.provider.js';
import { OperatorContext } from '../operators/operator.context.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';

const root = OperatorContext.root();

describe('a tool is not called any more', () => {
  afterEach(() => void vi.useRealTimers());

  it('when its time is over while it waits to be retried', async () => {
    vi.useFakeTimers();
    const flaky = vi.fn(() => Promise.reject(new Error('again')));
    const { agent } = scriptedAgent({
      script: [calls(['flaky']), { text: 'done' }],
      tools: { flaky },
      metadata: { flaky: { retry: { attempts: 10, delayMs: 1000 } } },
      define: (builder) => builder.toolTimeout(500),
    });
    const running = agent.execute('go', root);
    await vi.advanceTimersByTimeAsync(500);
    expect((await running).messages[2]?.content).toContain('"timeout"');
    expect(flaky).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('when the run is aborted while it waits to be retried', async () => {
    const controller = new AbortController();
    const flaky = vi.fn(() => {
      setImmediate(() => controller.abort());
      return Promise.reject(new Error('again'));
    });
    const { agent } = scriptedAgent({
      script: [calls(['flaky'])],
      tools: { flaky },
      metadata: { flaky: { retry: { attempts: 3, delayMs: 60_000 } } },
    });
    await rejection(agent.execute('go', OperatorContext.root({ signal: controller.signal })));
    expect(flaky).toHaveBeenCalledTimes(1);
  });

  it('when the run is aborted while its arguments are checked', async () => {
    const controller = new AbortController();
    const pay = vi.fn();
    const { agent } = scriptedAgent({
      script: [calls(['pay'])],
      tools: { pay },
      metadata: {
        pay: {
          approval: async () => {
            controller.abort();
            return false;
          },
        },
      },
    });
    await rejection(agent.execute('go', OperatorContext.root({ signal: controller.signal })));
    expect(pay).not.toHaveBeenCalled();
  });

  it('when the run is aborted while its start waits for a slow consumer', async () => {
    const controller = new AbortController();
    const pay = vi.fn();
    const { streaming } = scriptedAgent({ script: [calls(['pay'])], tools: { pay } });
    const channel = new NodeChannel<AgentStreamChunk>(1);
    const running = rejection(
      streaming.execute('go', channel, OperatorContext.root({ signal: controller.signal })),
    );
    await endOfTurn();
    expect(pay).not.toHaveBeenCalled();
    controller.abort();
    expect((await running).code).toBe('aborted');
    expect(pay).not.toHaveBeenCalled();
  });

  it('when another call stops the run while its start waits for a slow consumer', async () => {
    const pay = vi.fn();
    const stopped = deferred();
    const { streaming } = scriptedAgent({
      script: [calls(['stop'], ['pay'])],
      tools: {
        pay,
        stop: () => {
          setImmediate(stopped.resolve);
          throw new AgentException('not today', { code: 'custom' });
        },
      },
    });
    const channel = new NodeChannel<AgentStreamChunk>(2);
    const running = rejection(streaming.execute('go', channel, root));
    await stopped.promise;
    const chunks = [await channel.next(), await channel.next(), await channel.next()];
    void channel.next();
    expect((await running).message).toBe('not today');
    expect(pay).not.toHaveBeenCalled();
    expect(chunks.map(({ value }) => value?.type)).toEqual(['tool_start', 'tool_start', 'tool_end']);
  });
});

describe('a call without an id', () => {
  it('gets one, so that the model can be told its result', async () => {
    const { agent, provider } = scriptedAgent({
      script: [calls(['ping', {}, ''], ['ping', { again: true }, '']), { text: 'done' }],
      tools: { ping: () => 'pong' },
    });
    await agent.execute('go', root);
    const { messages } = provider.requests[1]!;
    expect(messages[1]?.toolCalls?.map(({ id }) => id)).toEqual(['call', 'call_2']);
    expect(messages.slice(2).map(({ toolCallId }) => toolCallId)).toEqual(['call', 'call_2']);
  });
});

describe('a tool of several steps', () => {
  it('takes no further step when its time is over', async () => {
    const second = vi.fn();
    const first = deferred();
    const registry = new OperatorRegistry()
      .register('llmChat', new LlmChatOperator(new ScriptedProvider([calls(['steps']), { text: 'done' }])))
      .register('first', { execute: () => first.promise })
      .register('second', { execute: second });
    const nodes = ['first', 'second'].map((id) => ({ id, operatorRef: id }));
    const ref = { ...toolRef('steps', { operator: 'second' }), graph: { name: 'steps', nodes } };
    const agent = AgentBuilder.create('a')
      .model('m')
      .tool({ ...ref, resultNodeId: 'second' })
      .toolTimeout(20)
      .toOperator('a', registry);
    setTimeout(first.resolve, 40);
    expect((await agent.execute('go', root)).messages[2]?.content).toContain('"timeout"');
    expect(second).not.toHaveBeenCalled();
  });
});

describe('at the same tick', () => {
  afterEach(() => void vi.useRealTimers());

  it('B114: an abort by the caller beats the time-out of a tool', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const { agent, provider } = scriptedAgent({
      script: [calls(['hang'])],
      tools: {
        hang: (_: never, { signal }: OperatorContext) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
      define: (builder) => builder.toolTimeout(100),
    });
    const failing = rejection(agent.execute('go', OperatorContext.root({ signal: controller.signal })));
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await failing).toMatchObject({ code: 'aborted' });
    expect(provider.requests).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a consumer that leaves while a tool throws is an abort, with one exit', async () => {
    const listener = recordingListener();
    const channel = new NodeChannel<AgentStreamChunk>();
    const { streaming } = scriptedAgent({
      script: [calls(['leave'])],
      tools: {
        leave: async () => {
          await channel.return();
          throw new AgentException('not today', { code: 'custom' });
        },
      },
      services: { listeners: [listener] },
    });
    expect(await rejection(streaming.execute('go', channel, root))).toMatchObject({ code: 'aborted' });
    expect(exits(listener.heard)).toEqual(['aborted']);
  });

  it('chunks of a finished run are all there when its promise settles', async () => {
    const { streaming } = scriptedAgent({ script: [{ tokens: ['a', 'b'] }] });
    expect((await collectChunks(streaming, 'go')).map(({ type }) => type)).toEqual([
      'token',
      'token',
      'done',
    ]);
  });
});
