import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { NodeChannel } from '../channel/node.channel.js';
import { OperatorContext } from '../operators/operator.context.js';
import type { LlmProvider, LlmRequest, LlmStreamChunk } from './llm.provider.js';
import { LlmStreamingChatOperator } from './llm-streaming-chat.operator.js';
import { ScriptedProvider } from './scripted.provider.js';

const request: LlmRequest = { model: 'default', messages: [{ role: 'user', content: 'hello' }] };
const options = { defaultModel: 'm' };

/** Never ends by itself; counts what it was asked for, and hears the signal like a socket would. */
class EndlessProvider implements LlmProvider {
  readonly description = 'endless';
  sent = 0;
  aborted = false;

  chat(): Promise<never> {
    return Promise.reject(new Error('not used'));
  }

  async *streamChat({ signal }: LlmRequest): AsyncGenerator<LlmStreamChunk> {
    signal?.addEventListener('abort', () => (this.aborted = true));
    for (; this.sent < 100; this.sent++) yield { type: 'token', text: 'x' };
    signal?.throwIfAborted();
    yield await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  }
}

describe('LlmStreamingChatOperator', () => {
  it('sends every chunk to the channel', async () => {
    const operator = new LlmStreamingChatOperator(new ScriptedProvider([{ tokens: ['a', 'b'] }]), options);
    const channel = new NodeChannel<LlmStreamChunk>();
    const done = operator.execute(request, channel, OperatorContext.root()).then(() => channel.close());
    const types: string[] = [];
    for await (const chunk of channel) types.push(chunk.type);
    await done;
    expect(types).toEqual(['token', 'token', 'finish']);
  });

  it('reads no faster than the channel takes', async () => {
    const provider = new EndlessProvider();
    const channel = new NodeChannel<LlmStreamChunk>(4);
    const done = new LlmStreamingChatOperator(provider, options).execute(
      request,
      channel,
      OperatorContext.root(),
    );
    await channel.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(provider.sent).toBeLessThanOrEqual(6);
    await channel.return();
    await done;
  });

  it('stops the model when the consumer stops, without an error', async () => {
    const provider = new EndlessProvider();
    const channel = new NodeChannel<LlmStreamChunk>(1_000);
    const done = new LlmStreamingChatOperator(provider, options).execute(
      request,
      channel,
      OperatorContext.root(),
    );
    await channel.next();
    await new Promise((resolve) => setImmediate(resolve));
    await channel.return();
    await expect(done).resolves.toBeUndefined();
    expect(provider.aborted).toBe(true);
    expect(getEventListeners(channel.signal, 'abort')).toEqual([]);
  });

  it('passes the reason of the context on, and leaves no listener on its signal', async () => {
    const controller = new AbortController();
    const channel = new NodeChannel<LlmStreamChunk>(1_000);
    const context = OperatorContext.root({ signal: controller.signal });
    const done = new LlmStreamingChatOperator(new EndlessProvider(), options).execute(
      request,
      channel,
      context,
    );
    await channel.next();
    controller.abort('shutdown');
    await expect(done).rejects.toBe('shutdown');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('fails for the model "default" when none is configured', async () => {
    const operator = new LlmStreamingChatOperator(new ScriptedProvider([]));
    const answer = operator.execute(request, new NodeChannel(), OperatorContext.root());
    await expect(answer).rejects.toMatchObject({ kind: 'invalid_request' });
  });
});
