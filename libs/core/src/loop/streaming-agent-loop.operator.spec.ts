import { afterEach, describe, expect, it, vi } from 'vitest';
import { calls, collectChunks, deferred, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { NodeChannel } from '../channel/node.channel.js';
import { AgentAbortedException } from '../errors/agent-aborted.exception.js';
import type { LlmProvider, LlmStreamChunk } from '../llm/llm.provider.js';
import { LlmStreamingChatOperator } from '../llm/llm-streaming-chat.operator.js';
import { AgentBuilder } from '../definition/agent.builder.js';
import { OperatorContext } from '../operators/operator.context.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';

const root = OperatorContext.root();

describe('a streaming run', () => {
  it('sends tokens, tool starts and ends in their order, and done last', async () => {
    const { streaming } = scriptedAgent({
      script: [
        { ...calls(['ping', {}, 'a']), tokens: ['Let me ', 'look.'] },
        { tokens: ['It is ', 'pong.'] },
      ],
      tools: { ping: () => 'pong' },
    });
    const chunks = await collectChunks(streaming, 'go');
    expect(chunks.slice(0, -1)).toEqual([
      { type: 'token', text: 'Let me ', turnNumber: 1 },
      { type: 'token', text: 'look.', turnNumber: 1 },
      { type: 'tool_start', toolName: 'ping', toolCallId: 'a', turnNumber: 1 },
      { type: 'tool_end', toolName: 'ping', toolCallId: 'a', success: true, turnNumber: 1 },
      { type: 'token', text: 'It is ', turnNumber: 2 },
      { type: 'token', text: 'pong.', turnNumber: 2 },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      type: 'done',
      finalOutput: { content: 'It is pong.', turnsUsed: 2 },
    });
  });

  it('gives the same output as a run that does not stream', async () => {
    const options = {
      script: ({ messages }: { messages: readonly unknown[] }) =>
        messages.length === 1 ? calls(['ping', {}, 'a'], ['nope', {}, 'b']) : { text: 'done' },
      tools: { ping: () => ({ n: 1 }) },
    };
    const { agent, streaming } = scriptedAgent(options);
    const plain = await agent.execute('go', root, { runId: 'r' });
    const chunk = (await collectChunks(streaming, 'go', root, { runId: 'r' })).at(-1);
    expect(chunk).toEqual({ type: 'done', finalOutput: plain });
  });

  it('B23: tells the texts of its turns apart', async () => {
    const { streaming } = scriptedAgent({
      script: [{ ...calls(['ping']), text: 'first' }, { text: 'second' }],
      tools: { ping: () => 1 },
    });
    const texts = (await collectChunks(streaming, 'go')).filter((chunk) => chunk.type === 'token');
    expect(texts.map(({ turnNumber, text }) => [turnNumber, text])).toEqual([
      [1, 'first'],
      [2, 'second'],
    ]);
  });

  it('throws instead of done when it fails, with the conversation so far', async () => {
    const { streaming } = scriptedAgent({ script: [{ tokens: ['half '], error: new Error('cut') }] });
    const chunks: AgentStreamChunk[] = [];
    const channel = new NodeChannel<AgentStreamChunk>();
    const running = streaming.execute('go', channel, root).then(
      () => channel.close(),
      (error: unknown) => channel.fail(error),
    );
    const reading = (async () => {
      for await (const chunk of channel) chunks.push(chunk);
    })();
    await expect(reading).rejects.toMatchObject({
      message: expect.stringContaining('cut'),
      checkpoint: { turnCount: 1 },
    });
    await running;
    expect(chunks).toEqual([{ type: 'token', text: 'half ', turnNumber: 1 }]);
  });

  it('reads the model no faster than the consumer reads the run', async () => {
    let produced = 0;
    const provider: LlmProvider = {
      description: 'endless',
      chat: () => Promise.reject(new Error('not used')),
      async *streamChat(): AsyncGenerator<LlmStreamChunk, void, undefined> {
        for (;;) {
          produced += 1;
          yield { type: 'token', text: 'x' };
        }
      },
    };
    const registry = new OperatorRegistry().register(
      'llmStreamingChat',
      new LlmStreamingChatOperator(provider),
    );
    const streaming = AgentBuilder.create('a')
      .model('m')
      .streamingBufferCapacity(4)
      .toStreamingOperator('a', registry);
    const channel = new NodeChannel<AgentStreamChunk>(4);
    const running = streaming.execute('go', channel, root).catch((error: unknown) => error);
    for (let read = 0; read < 10; read++) await channel.next();
    // Enough turns of the event loop for a producer without bounds to run far ahead.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(produced).toBeLessThanOrEqual(10 + 4 + 4 + 2);
    await channel.return();
    expect(await running).toBeInstanceOf(AgentAbortedException);
  });

  it('is aborted by a consumer that stops, and the model call ends with it', async () => {
    const ended = deferred();
    const provider: LlmProvider = {
      description: 'slow',
      chat: () => Promise.reject(new Error('not used')),
      async *streamChat({ signal }): AsyncGenerator<LlmStreamChunk, void, undefined> {
        try {
          yield { type: 'token', text: 'x' };
          await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        } finally {
          ended.resolve();
        }
      },
    };
    const registry = new OperatorRegistry().register(
      'llmStreamingChat',
      new LlmStreamingChatOperator(provider),
    );
    const streaming = AgentBuilder.create('a').model('m').toStreamingOperator('a', registry);
    const channel = new NodeChannel<AgentStreamChunk>();
    const running = streaming.execute('go', channel, root).catch((error: unknown) => error);
    for await (const chunk of channel) {
      expect(chunk.type).toBe('token');
      break;
    }
    expect(await running).toBeInstanceOf(AgentAbortedException);
    await ended.promise;
  });

  it('is not held up by a consumer that does not read while it is cancelled', async () => {
    const controller = new AbortController();
    const { streaming } = scriptedAgent({ script: [{ tokens: Array.from({ length: 1000 }, () => 'x') }] });
    const channel = new NodeChannel<AgentStreamChunk>(1);
    const running = streaming
      .execute('go', channel, OperatorContext.root({ signal: controller.signal }))
      .catch((error: unknown) => error);
    await channel.next();
    controller.abort();
    expect(await running).toBeInstanceOf(AgentAbortedException);
  });
});

describe('a provider that breaks its promise', () => {
  afterEach(() => void vi.useRealTimers());

  it('and ends its stream without a finish is an error, not a short answer', async () => {
    const provider: LlmProvider = {
      description: 'cut',
      chat: () => Promise.reject(new Error('not used')),
      async *streamChat(): AsyncGenerator<LlmStreamChunk, void, undefined> {
        yield { type: 'token', text: 'half' };
      },
    };
    const registry = new OperatorRegistry().register(
      'llmStreamingChat',
      new LlmStreamingChatOperator(provider),
    );
    const streaming = AgentBuilder.create('a').model('m').toStreamingOperator('a', registry);
    await expect(collectChunks(streaming, 'go')).rejects.toMatchObject({ code: 'incomplete_stream' });
  });

  it('and ignores its signal does not hold an aborted run', async () => {
    const controller = new AbortController();
    const asked = deferred();
    const provider: LlmProvider = {
      description: 'deaf',
      chat: () => {
        asked.resolve();
        return new Promise(() => {});
      },
      streamChat: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
    };
    const { LlmChatOperator } = await import('../llm/llm-chat.operator.js');
    const registry = new OperatorRegistry()
      .register('llmChat', new LlmChatOperator(provider))
      .register('llmStreamingChat', new LlmStreamingChatOperator(provider));
    const builder = AgentBuilder.create('a').model('m');
    const context = OperatorContext.root({ signal: controller.signal });
    const runs = [
      builder.toOperator('a', registry).execute('go', context),
      collectChunks(builder.toStreamingOperator('a', registry), 'go', context),
    ];
    const settled = Promise.allSettled(runs);
    await asked.promise;
    controller.abort();
    for (const { status } of await settled) expect(status).toBe('rejected');
  });
});
