import { getEventListeners, once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  LoopbackServer,
  openEventStream,
  sendJson,
  textCompletion,
  type LoopbackHandler,
} from '../../../../../test/support/loopback-server.js';
import { textEvent } from '../../../../../test/support/sse-stream.js';
import { LlmException } from '../../errors/llm.exception.js';
import { CallGuard } from '../call.guard.js';
import type { LlmRequest } from '../llm.provider.js';
import { OpenAiProvider, type OpenAiProviderOptions } from './openai.provider.js';

const KEY = 'sk-very-secret-0123456789';
const request: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const once1 = { attempts: 1 };
const quick = { baseDelayMs: 0 };
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function serve(handler: LoopbackHandler, options: OpenAiProviderOptions = {}) {
  const server = await LoopbackServer.start(handler);
  const provider = new OpenAiProvider({ baseUrl: server.url, ...options });
  cleanups.push(
    () => server.stop(),
    () => provider.close(),
  );
  return { server, provider };
}

async function failureOf(answer: Promise<unknown>): Promise<LlmException> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LlmException)) throw new Error(`expected an LlmException, got ${inspect(error)}`);
  return error;
}

describe('construction', () => {
  it('names both settings if a remote server has no key', () => {
    expect(() => new OpenAiProvider()).toThrow(
      /No API key for https:\/\/api\.openai\.com\/v1\..*OPENAI_API_KEY.*OPENAI_BASE_URL/,
    );
    expect(() => new OpenAiProvider({ baseUrl: 'https://example.com', apiKey: '' })).toThrow('No API key');
  });

  it('needs no key for a local server or beside authorising headers', () => {
    expect(new OpenAiProvider({ baseUrl: 'http://localhost:11434' }).description).toBe(
      'openai (http://localhost:11434/v1)',
    );
    expect(() => new OpenAiProvider({ headers: { 'API-Key': KEY } })).not.toThrow();
    expect(new OpenAiProvider({ apiKey: KEY }).description).toBe('openai (https://api.openai.com/v1)');
  });

  it('refuses settings that cannot work', () => {
    const baseUrl = 'http://localhost';
    expect(() => new OpenAiProvider({ baseUrl, timeouts: { idleMs: 0 } })).toThrow('timeouts.idleMs');
    expect(() => new OpenAiProvider({ baseUrl, retry: { attempts: 0 } })).toThrow('retry.attempts');
  });
});

describe('chat', () => {
  it('asks by the openai package and reads the answer', async () => {
    const { server, provider } = await serve((response) => sendJson(response, textCompletion('hello')), {
      apiKey: KEY,
      headers: { 'x-team': 'support' },
    });
    expect(await provider.chat(request)).toEqual({
      message: { role: 'assistant', content: 'hello' },
      finishReason: 'stop',
      usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5, cachedTokens: 0, reasoningTokens: 0 },
    });
    const [seen] = server.requests;
    expect(seen?.url).toBe('/v1/chat/completions');
    expect(JSON.parse(seen?.body ?? '')).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    expect(seen?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/OpenAI|ChatClient\/JS/),
      'x-stainless-retry-count': '0',
      'x-team': 'support',
    });
  });

  it('uses its connections again', async () => {
    const connections = new Set();
    const { server, provider } = await serve((response) => {
      for (const socket of server.sockets) connections.add(socket);
      sendJson(response, textCompletion('hello'));
    });
    // A connection rests for a turn of the event loop after its response, so that two take turns here.
    for (let call = 0; call < 10; call++) await provider.chat(request);
    expect(connections.size).toBeLessThanOrEqual(2);
  });

  it('B106: retries in one layer, waiting what the server asks', async () => {
    const wait = vi.spyOn(CallGuard.prototype, 'wait').mockResolvedValue();
    const asked = [{ 'retry-after': '2' }, { 'retry-after-ms': '250' }, {}] as const;
    const { server, provider } = await serve((response, _, number) => {
      if (number > 2) sendJson(response, textCompletion('at last'));
      else sendJson(response, { error: { message: 'slow down' } }, 429, asked[number - 1]);
    });
    expect((await provider.chat(request)).message.content).toBe('at last');
    expect(wait.mock.calls).toEqual([[2_000], [250]]);
    expect(server.requests).toHaveLength(3);
  });

  it('B106: makes as many attempts as configured, not more', async () => {
    for (const status of [408, 409, 429, 500, 503]) {
      const { server, provider } = await serve(
        (response) => sendJson(response, { error: { message: 'no' } }, status),
        {
          retry: { ...quick, attempts: 2 },
        },
      );
      expect(await failureOf(provider.chat(request))).toMatchObject({ status, retryable: true });
      expect(server.requests).toHaveLength(2);
    }
  });

  it('does not repeat what the server refuses, or says not to', async () => {
    const { server, provider } = await serve(
      (response, _, number) =>
        number === 1
          ? sendJson(
              response,
              { error: { message: 'bad tool', code: 'bad', type: 'invalid_request_error' } },
              400,
            )
          : sendJson(response, { error: { message: 'down' } }, 500, { 'x-should-retry': 'false' }),
      { retry: quick },
    );
    expect(await failureOf(provider.chat(request))).toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('bad tool'),
      providerCode: 'bad',
    });
    expect(await failureOf(provider.chat(request))).toMatchObject({ kind: 'unavailable', retryable: false });
    expect(server.requests).toHaveLength(2);
  });

  it('names the URL and the remedy if nobody listens', async () => {
    const vacant = createServer().listen(0, '127.0.0.1');
    await once(vacant, 'listening');
    const { port } = vacant.address() as AddressInfo;
    vacant.close();
    const provider = new OpenAiProvider({ baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, retry: quick });
    const error = await failureOf(provider.chat(request));
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true });
    expect(error.message).toMatch(`Cannot reach http://127.0.0.1:${port}/v1 (connect ECONNREFUSED`);
    expect(error.message).toMatch('Is the server running and the base URL (OPENAI_BASE_URL) right?');
    expect(inspect(error)).not.toContain(KEY);
    await provider.close();
  });

  it('says what it got instead of a chat completion', async () => {
    const { provider, server } = await serve((response, _, number) => {
      if (number === 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>');
      else if (number === 2) response.writeHead(200, { 'content-type': 'text/plain' }).end('it works!');
      else if (number === 3) response.writeHead(302, { location: 'https://other/v1?token=abc' }).end();
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>not found</html>');
    });
    const html = await failureOf(provider.chat(request));
    expect(html).toMatchObject({ kind: 'unavailable', retryable: false });
    expect(html.message).toBe(
      `${server.url}/v1 answered 200 with text/html instead of a chat completion: is this an OpenAI-compatible base URL?`,
    );
    expect((await failureOf(provider.chat(request))).message).toContain(
      'with text/plain instead of a chat completion ("it works!")',
    );
    const redirect = await failureOf(provider.chat(request));
    expect(redirect.message).toContain(
      'answered 302, a redirect to https://other/v1. Redirects are not followed',
    );
    const lost = await failureOf(provider.chat(request));
    expect(lost).toMatchObject({ kind: 'invalid_request', status: 404 });
    expect(lost.message).toContain(`Is ${server.url}/v1 the base URL of an OpenAI-compatible API?`);
    expect(lost.message).not.toContain('<html>');
    expect(server.requests).toHaveLength(4);
  });

  it('refuses an answer that is too large', async () => {
    const { provider } = await serve((response) => sendJson(response, textCompletion('x'.repeat(5_000))), {
      maxResponseBytes: 4_000,
    });
    const error = await failureOf(provider.chat(request));
    expect(error.message).toContain('The response has more than 4000 bytes. Raise maxResponseBytes');
    expect(error.retryable).toBe(false);
  });

  it('retries an answer that was cut', async () => {
    const { provider } = await serve(
      (response, _, number) => {
        if (number > 1) return sendJson(response, textCompletion('whole'));
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 999 });
        return response.write('{"choices"', () => response.destroy());
      },
      { retry: quick },
    );
    expect((await provider.chat(request)).message.content).toBe('whole');
  });

  it('never shows the key, even if the server repeats it', async () => {
    const answers: LoopbackHandler[] = [
      (response) =>
        sendJson(response, { error: { message: `Incorrect key ${KEY}`, code: KEY, type: KEY } }, 401),
      (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end(`no ${KEY}`),
      (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(`hello ${KEY}`),
      (response) => response.writeHead(302, { location: `https://h/${KEY}` }).end(),
      (response) => response.socket?.end(`HTTP/1.1 ${KEY} what\r\n\r\n`),
      (response) => openEventStream(response).end(`data: {"error":{"message":"bad ${KEY}"}}\n\n`),
      (response) => openEventStream(response).end(`data: broken ${KEY}\n\n`),
    ];
    for (const [index, answer] of answers.entries()) {
      const { provider } = await serve(answer, { apiKey: KEY, retry: once1 });
      const stream = provider.streamChat(request)[Symbol.asyncIterator]();
      const error = await failureOf(index < 5 ? provider.chat(request) : stream.next());
      const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), error.stack];
      expect(shown.filter((text) => text?.includes(KEY))).toEqual([]);
    }
  });
});

describe('time-outs and aborts', () => {
  it('B110: each has a code of its own', async () => {
    const silent: LoopbackHandler = () => {};
    const first = await serve(silent, { timeouts: { firstTokenMs: 40 }, retry: once1 });
    expect(await failureOf(first.provider.chat(request))).toMatchObject({
      code: 'timeout:first_token',
      retryable: true,
    });

    const idle = await serve((response) => openEventStream(response).write(textEvent('a')), {
      timeouts: { idleMs: 40 },
      retry: once1,
    });
    const stream = idle.provider.streamChat(request)[Symbol.asyncIterator]();
    await stream.next();
    expect(await failureOf(stream.next())).toMatchObject({ code: 'timeout:idle' });

    const busy = await serve((response) => sendJson(response, { error: { message: 'busy' } }, 503), {
      timeouts: { totalMs: 60 },
      retry: { attempts: 1_000, baseDelayMs: 5, maxDelayMs: 5 },
    });
    expect(await failureOf(busy.provider.chat(request))).toMatchObject({
      code: 'timeout:total',
      retryable: false,
    });

    const controller = new AbortController();
    const aborted = await serve(() => controller.abort('by the user'));
    await expect(aborted.provider.chat({ ...request, signal: controller.signal })).rejects.toBe(
      'by the user',
    );
  });

  it('B110: tells a connection that never stands from a slow model', async () => {
    // Accepts, but never answers the TLS handshake.
    const deaf = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as AddressInfo;
    const provider = new OpenAiProvider({
      baseUrl: `https://127.0.0.1:${port}`,
      timeouts: { connectMs: 40 },
      retry: once1,
    });
    expect(await failureOf(provider.chat(request))).toMatchObject({
      code: 'timeout:connect',
      kind: 'timeout',
    });
    deaf.close();
  });

  it('B110: retries a time-out of an attempt', async () => {
    const { provider } = await serve(
      (response, _, number) => number > 1 && sendJson(response, textCompletion('awake')),
      { timeouts: { firstTokenMs: 40 }, retry: quick },
    );
    expect((await provider.chat(request)).message.content).toBe('awake');
  });

  it('stops waiting for a retry when the caller aborts', async () => {
    const controller = new AbortController();
    const { provider, server } = await serve((response) => {
      sendJson(response, { error: { message: 'busy' } }, 429, { 'retry-after': '30' });
      response.once('close', () => setImmediate(() => controller.abort('enough')));
    });
    await expect(provider.chat({ ...request, signal: controller.signal })).rejects.toBe('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('sends nothing if the signal was aborted before', async () => {
    const { provider, server } = await serve((response) => sendJson(response, textCompletion('hello')));
    const late = { ...request, signal: AbortSignal.abort('before') };
    await expect(provider.chat(late)).rejects.toBe('before');
    await expect(provider.streamChat(late)[Symbol.asyncIterator]().next()).rejects.toBe('before');
    expect(server.requests).toEqual([]);
  });

  it('leaves no listener on a signal that outlives many calls', async () => {
    const { provider } = await serve((response) => sendJson(response, textCompletion('hello')));
    const { signal } = new AbortController();
    for (let call = 0; call < 60; call++) await provider.chat({ ...request, signal });
    for await (const _ of provider.streamChat({ ...request, signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves no listener and no socket after 60 aborted calls', async () => {
    let waiting = 0;
    const controller = new AbortController();
    const { provider, server } = await serve(() => {
      if (++waiting === 60) controller.abort('enough');
    });
    const calls = Array.from({ length: 60 }, () => provider.chat({ ...request, signal: controller.signal }));
    const results = await Promise.allSettled(calls);
    expect(results.every((result) => result.status === 'rejected' && result.reason === 'enough')).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await server.quiet();
  });
});
