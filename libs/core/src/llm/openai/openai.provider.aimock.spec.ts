import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LlmRequest } from '../llm.provider.js';
import { OpenAiProvider } from './openai.provider.js';

const ask = (content: string): LlmRequest => ({ model: 'm', messages: [{ role: 'user', content }] });

describe('against a server that others wrote', () => {
  const server = new LLMock({ port: 0, host: '127.0.0.1' });
  let provider: OpenAiProvider;

  beforeAll(async () => {
    server.addFixture({
      match: { userMessage: 'tool' },
      response: { toolCalls: [{ name: 'ping', arguments: '{"n":1}' }] },
    });
    server.addFixture({
      match: { userMessage: 'cut' },
      response: { content: 'never whole' },
      truncateAfterChunks: 4,
      chunkSize: 2,
      latency: 20,
    });
    server.addFixture({
      match: { userMessage: 'slow' },
      response: { content: 'slow answer' },
      chaos: { latencyMs: 10_000 },
    });
    server.addFixture({
      match: { userMessage: 'malformed' },
      response: { content: 'x' },
      chaos: { malformedRate: 1 },
    });
    server.addFixture({
      match: { userMessage: 'drop' },
      response: { content: 'x' },
      chaos: { disconnectRate: 1 },
    });
    server.addFixture({ match: {}, response: { content: 'hello there' } });
    await server.start();
    provider = new OpenAiProvider({
      baseUrl: server.url,
      retry: { attempts: 2, baseDelayMs: 0 },
      timeouts: { firstTokenMs: 300 },
    });
  });
  afterEach(() => server.clearRequests());
  afterAll(async () => {
    await provider.close();
    await server.stop();
  });

  it('answers and streams', async () => {
    expect((await provider.chat(ask('hi'))).message.content).toBe('hello there');
    let text = '';
    for await (const chunk of provider.streamChat(ask('hi'))) if (chunk.type === 'token') text += chunk.text;
    expect(text).toBe('hello there');
  });

  it('calls tools, streamed or not', async () => {
    const expected = {
      finishReason: 'tool_calls',
      message: { toolCalls: [{ name: 'ping', arguments: '{"n":1}' }] },
    };
    expect(await provider.chat(ask('tool'))).toMatchObject(expected);
    const chunks = [];
    for await (const chunk of provider.streamChat(ask('tool'))) chunks.push(chunk);
    expect(chunks.at(-1)).toMatchObject({ type: 'finish', response: expected });
  });

  it('retries a rate limit and a disconnect', async () => {
    server.nextRequestError(429, { message: 'slow down', type: 'rate_limit_error' });
    expect((await provider.chat(ask('hi'))).message.content).toBe('hello there');
    expect(server.getRequests().map(({ response }) => response.status)).toEqual([429, 200]);
    await expect(provider.chat(ask('drop'))).rejects.toMatchObject({ kind: 'unavailable' });
    expect(server.getRequests()).toHaveLength(4);
  });

  it('tells a cut stream, a slow and a malformed answer apart', async () => {
    const cut = (async () => {
      for await (const _ of provider.streamChat(ask('cut')));
    })();
    await expect(cut).rejects.toMatchObject({ kind: 'incomplete_stream' });
    await expect(provider.chat(ask('slow'))).rejects.toMatchObject({ code: 'timeout:first_token' });
    await expect(provider.chat(ask('malformed'))).rejects.toMatchObject({
      kind: 'unavailable',
      retryable: false,
    });
  });
});
