import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import type { LlmRequest, LlmStreamChunk } from './llm.provider.js';
import { NO_USAGE } from './llm-usage.js';
import { ScriptedProvider } from './scripted.provider.js';

const messages: LlmMessage[] = [{ role: 'user', content: 'hello' }];
const request: LlmRequest = { model: 'm', messages };

async function chunksOf(stream: AsyncIterable<LlmStreamChunk>): Promise<LlmStreamChunk[]> {
  const chunks: LlmStreamChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

describe('ScriptedProvider', () => {
  it('answers step by step and keeps the requests as they were', async () => {
    const provider = new ScriptedProvider([
      {
        toolCalls: [
          { name: 'ping', arguments: { n: 1 } },
          { name: 'raw', arguments: '{bad', id: 'mine' },
        ],
      },
      { text: 'pong', usage: NO_USAGE, finishReason: 'length' },
    ]);
    expect(await provider.chat(request)).toEqual({
      message: {
        role: 'assistant',
        content: null,
        toolCalls: [
          { id: 'call_1_0', name: 'ping', arguments: '{"n":1}' },
          { id: 'mine', name: 'raw', arguments: '{bad' },
        ],
      },
      finishReason: 'tool_calls',
    });
    const conversation = [...messages];
    expect(await provider.chat({ model: 'm', messages: conversation })).toEqual({
      message: { role: 'assistant', content: 'pong' },
      finishReason: 'length',
      usage: NO_USAGE,
    });
    conversation.push({ role: 'user', content: 'later' });
    expect(provider.requests.map((seen) => seen.messages.length)).toEqual([1, 1]);
  });

  it('asks a function for each step', async () => {
    const provider = new ScriptedProvider(({ messages: seen }, call) => ({
      text: `${call}: ${seen.at(-1)?.content}`,
    }));
    await provider.chat(request);
    expect((await provider.chat(request)).message.content).toBe('2: hello');
  });

  it('streams the words of a text, or the tokens that are given, then one finish', async () => {
    const provider = new ScriptedProvider([{ text: 'two words' }, { tokens: ['a', 'b'] }]);
    expect(await chunksOf(provider.streamChat(request))).toEqual([
      { type: 'token', text: 'two ' },
      { type: 'token', text: 'words' },
      {
        type: 'finish',
        response: { message: { role: 'assistant', content: 'two words' }, finishReason: 'stop' },
      },
    ]);
    expect(await chunksOf(provider.streamChat(request))).toMatchObject([
      { text: 'a' },
      { text: 'b' },
      { response: { message: { content: 'ab' } } },
    ]);
  });

  it('throws the error of a step, in a stream behind its tokens', async () => {
    const error = new Error('scripted');
    const provider = new ScriptedProvider(() => ({ tokens: ['a'], error }));
    await expect(provider.chat(request)).rejects.toBe(error);
    const stream = provider.streamChat(request)[Symbol.asyncIterator]();
    expect(await stream.next()).toEqual({ value: { type: 'token', text: 'a' }, done: false });
    await expect(stream.next()).rejects.toBe(error);
  });

  it('says so when the script is over', async () => {
    const provider = new ScriptedProvider([{ text: 'only' }]);
    await provider.chat(request);
    await expect(provider.chat(request)).rejects.toMatchObject({
      code: 'script_exhausted',
      message:
        'The script has 1 step, but the model was called 2 times. Add a step for this call, or give a function.',
    });
  });

  it('ends a delay when the signal aborts, and leaves no listener', async () => {
    const controller = new AbortController();
    const provider = new ScriptedProvider(() => ({ text: 'late', delayMs: 60_000 }));
    const answer = provider.chat({ ...request, signal: controller.signal });
    controller.abort('enough');
    await expect(answer).rejects.toBe('enough');
    await expect(provider.chat({ ...request, signal: controller.signal })).rejects.toBe('enough');
    const quick = new ScriptedProvider([{ text: 'soon', delayMs: 1 }]);
    const { signal } = new AbortController();
    await quick.chat({ ...request, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('says what it is', () => {
    expect(new ScriptedProvider([]).description).toBe('scripted (answers are not from a model)');
  });
});
