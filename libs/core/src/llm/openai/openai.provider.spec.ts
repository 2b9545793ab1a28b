import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import {
  openEventStream,
  sendJson,
  textCompletion,
  type LoopbackHandler,
} from '../../../../../test/support/loopback-server.js';
import { failureOf, REQUEST, serveProvider } from '../../../../../test/support/provider-server.js';
import { CallGuard } from '../call.guard.js';
import { OpenAiProvider } from './openai.provider.js';

const KEY = 'sk-very-secret-0123456789';
const once1 = { attempts: 1 };
const quick = { baseDelayMs: 0 };
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
    const { server, provider } = await serveProvider(
      (response) => sendJson(response, textCompletion('hello')),
      {
        apiKey: KEY,
        headers: { 'x-team': 'support' },
      },
    );
    expect(await provider.chat(REQUEST)).toEqual({
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
      'user-agent': 'Nestor',
      'x-stainless-retry-count': '0',
      'x-team': 'support',
    });
  });

  it('uses its connections again', async () => {
    const connections = new Set();
    const { server, provider } = await serveProvider((response) => {
      for (const socket of server.sockets) connections.add(socket);
      sendJson(response, textCompletion('hello'));
    });
    // A connection rests for a turn of the event loop after its response, so that two take turns here.
    for (let call = 0; call < 10; call++) await provider.chat(REQUEST);
    expect(connections.size).toBeLessThanOrEqual(2);
  });

  it('B106: retries in one layer, waiting what the server asks', async () => {
    const wait = vi.spyOn(CallGuard.prototype, 'wait').mockResolvedValue();
    const asked = [{ 'retry-after': '2' }, { 'retry-after-ms': '250' }, {}] as const;
    const { server, provider } = await serveProvider((response, _, number) => {
      if (number > 2) sendJson(response, textCompletion('at last'));
      else sendJson(response, { error: { message: 'slow down' } }, 429, asked[number - 1]);
    });
    expect((await provider.chat(REQUEST)).message.content).toBe('at last');
    expect(wait.mock.calls).toEqual([[2_000], [250]]);
    expect(server.requests).toHaveLength(3);
  });

  it('B106: makes as many attempts as configured, not more', async () => {
    for (const status of [408, 409, 429, 500, 503]) {
      const { server, provider } = await serveProvider(
        (response) => sendJson(response, { error: { message: 'no' } }, status),
        {
          retry: { ...quick, attempts: 2 },
        },
      );
      expect(await failureOf(provider.chat(REQUEST))).toMatchObject({ status, retryable: true });
      expect(server.requests).toHaveLength(2);
    }
  });

  it('does not repeat what the server refuses, or says not to', async () => {
    const { server, provider } = await serveProvider(
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
    expect(await failureOf(provider.chat(REQUEST))).toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('bad tool'),
      providerCode: 'bad',
    });
    expect(await failureOf(provider.chat(REQUEST))).toMatchObject({ kind: 'unavailable', retryable: false });
    expect(server.requests).toHaveLength(2);
  });

  it('names the URL and the remedy if nobody listens', async () => {
    const vacant = createServer().listen(0, '127.0.0.1');
    await once(vacant, 'listening');
    const { port } = vacant.address() as AddressInfo;
    vacant.close();
    const provider = new OpenAiProvider({ baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, retry: quick });
    const error = await failureOf(provider.chat(REQUEST));
    expect(error).toMatchObject({ kind: 'unavailable', retryable: true });
    expect(error.message).toMatch(`Cannot reach http://127.0.0.1:${port}/v1 (connect ECONNREFUSED`);
    expect(error.message).toMatch('Is the server running and the base URL (OPENAI_BASE_URL) right?');
    expect(inspect(error)).not.toContain(KEY);
    await provider.close();
  });

  it('says what it got instead of a chat completion', async () => {
    const { provider, server } = await serveProvider((response, _, number) => {
      if (number === 1) response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>');
      else if (number === 2) response.writeHead(200, { 'content-type': 'text/plain' }).end('it works!');
      else if (number === 3) response.writeHead(302, { location: 'https://other/v1?token=abc' }).end();
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<html>not found</html>');
    });
    const html = await failureOf(provider.chat(REQUEST));
    expect(html).toMatchObject({ kind: 'unavailable', retryable: false });
    expect(html.message).toBe(
      `${server.url}/v1 answered 200 with text/html instead of a chat completion: is this an OpenAI-compatible base URL?`,
    );
    expect((await failureOf(provider.chat(REQUEST))).message).toContain(
      'with text/plain instead of a chat completion ("it works!")',
    );
    const redirect = await failureOf(provider.chat(REQUEST));
    expect(redirect.message).toContain(
      'answered 302, a redirect to https://other/v1. Redirects are not followed',
    );
    const lost = await failureOf(provider.chat(REQUEST));
    expect(lost).toMatchObject({ kind: 'invalid_request', status: 404 });
    expect(lost.message).toContain(`Is ${server.url}/v1 the base URL of an OpenAI-compatible API?`);
    expect(lost.message).not.toContain('<html>');
    expect(server.requests).toHaveLength(4);
  });

  it('refuses an answer that is too large', async () => {
    const { provider } = await serveProvider(
      (response) => sendJson(response, textCompletion('x'.repeat(5_000))),
      {
        maxResponseBytes: 4_000,
      },
    );
    const error = await failureOf(provider.chat(REQUEST));
    expect(error.message).toContain('The response has more than 4000 bytes. Raise maxResponseBytes');
    expect(error.retryable).toBe(false);
  });

  it('retries an answer that was cut', async () => {
    const { provider } = await serveProvider(
      (response, _, number) => {
        if (number > 1) return sendJson(response, textCompletion('whole'));
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 999 });
        return response.write('{"choices"', () => response.destroy());
      },
      { retry: quick },
    );
    expect((await provider.chat(REQUEST)).message.content).toBe('whole');
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
      const { provider } = await serveProvider(answer, { apiKey: KEY, retry: once1 });
      const stream = provider.streamChat(REQUEST)[Symbol.asyncIterator]();
      const error = await failureOf(index < 5 ? provider.chat(REQUEST) : stream.next());
      const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), error.stack];
      expect(shown.filter((text) => text?.includes(KEY))).toEqual([]);
    }
  });
});

describe('a key that no header can carry', () => {
  it.each(['sk-a\nb', 'sk-a…', ' sk'])('is refused at once, without being shown: %j', (apiKey) => {
    const make = (): unknown => new OpenAiProvider({ apiKey });
    expect(make).toThrow(/OPENAI_API_KEY.*Copy it again/);
    expect(make).not.toThrow(apiKey);
  });

  it('is refused among the headers too', () => {
    expect(() => new OpenAiProvider({ apiKey: 'k', headers: { 'x-key': 'a\nb' } })).toThrow(/header "x-key"/);
  });
});
