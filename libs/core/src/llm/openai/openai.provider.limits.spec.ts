import { getEventListeners, once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  openEventStream,
  sendJson,
  textCompletion,
  type LoopbackHandler,
} from '../../../../../test/support/loopback-server.js';
import { failureOf, REQUEST, serveProvider } from '../../../../../test/support/provider-server.js';
import { textEvent } from '../../../../../test/support/sse-stream.js';
import { OpenAiProvider } from './openai.provider.js';

const once1 = { attempts: 1 };
const quick = { baseDelayMs: 0 };

describe('time-outs and aborts', () => {
  it('B110: each has a code of its own', async () => {
    const silent: LoopbackHandler = () => {};
    const first = await serveProvider(silent, { timeouts: { firstTokenMs: 40 }, retry: once1 });
    expect(await failureOf(first.provider.chat(REQUEST))).toMatchObject({
      code: 'timeout:first_token',
      retryable: true,
    });

    const idle = await serveProvider((response) => openEventStream(response).write(textEvent('a')), {
      timeouts: { idleMs: 40 },
      retry: once1,
    });
    const stream = idle.provider.streamChat(REQUEST)[Symbol.asyncIterator]();
    await stream.next();
    expect(await failureOf(stream.next())).toMatchObject({ code: 'timeout:idle' });

    const busy = await serveProvider((response) => sendJson(response, { error: { message: 'busy' } }, 503), {
      timeouts: { totalMs: 60 },
      retry: { attempts: 1_000, baseDelayMs: 5, maxDelayMs: 5 },
    });
    expect(await failureOf(busy.provider.chat(REQUEST))).toMatchObject({
      code: 'timeout:total',
      retryable: false,
    });

    const controller = new AbortController();
    const aborted = await serveProvider(() => controller.abort('by the user'));
    await expect(aborted.provider.chat({ ...REQUEST, signal: controller.signal })).rejects.toBe(
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
    expect(await failureOf(provider.chat(REQUEST))).toMatchObject({
      code: 'timeout:connect',
      kind: 'timeout',
    });
    deaf.close();
  });

  it('B110: retries a time-out of an attempt', async () => {
    const { provider } = await serveProvider(
      (response, _, number) => number > 1 && sendJson(response, textCompletion('awake')),
      { timeouts: { firstTokenMs: 40 }, retry: quick },
    );
    expect((await provider.chat(REQUEST)).message.content).toBe('awake');
  });

  it('stops waiting for a retry when the caller aborts', async () => {
    const controller = new AbortController();
    const { provider, server } = await serveProvider((response) => {
      sendJson(response, { error: { message: 'busy' } }, 429, { 'retry-after': '30' });
      response.once('close', () => setImmediate(() => controller.abort('enough')));
    });
    await expect(provider.chat({ ...REQUEST, signal: controller.signal })).rejects.toBe('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('fails clearly after it was closed', async () => {
    const { provider } = await serveProvider((response) => sendJson(response, textCompletion('hello')));
    await provider.chat(REQUEST);
    await provider.close();
    expect(await failureOf(provider.chat(REQUEST))).toMatchObject({
      message: expect.stringContaining('is closed. Make a new one.'),
      retryable: false,
    });
  });

  it('sends nothing if the signal was aborted before', async () => {
    const { provider, server } = await serveProvider((response) =>
      sendJson(response, textCompletion('hello')),
    );
    const late = { ...REQUEST, signal: AbortSignal.abort('before') };
    await expect(provider.chat(late)).rejects.toBe('before');
    await expect(provider.streamChat(late)[Symbol.asyncIterator]().next()).rejects.toBe('before');
    expect(server.requests).toEqual([]);
  });

  it('leaves no listener on a signal that outlives many calls', async () => {
    const { provider } = await serveProvider((response) => sendJson(response, textCompletion('hello')));
    const { signal } = new AbortController();
    for (let call = 0; call < 60; call++) await provider.chat({ ...REQUEST, signal });
    for await (const _ of provider.streamChat({ ...REQUEST, signal }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves no listener and no socket after 60 aborted calls', async () => {
    let waiting = 0;
    const controller = new AbortController();
    const { provider, server } = await serveProvider(() => {
      if (++waiting === 60) controller.abort('enough');
    });
    const calls = Array.from({ length: 60 }, () => provider.chat({ ...REQUEST, signal: controller.signal }));
    const results = await Promise.allSettled(calls);
    expect(results.every((result) => result.status === 'rejected' && result.reason === 'enough')).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    await server.quiet();
  });
});
