import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { openEventStream, sendJson } from '../../../../../test/support/loopback-server.js';
import { endOfTurn, readStream, REQUEST, serveStream } from '../../../../../test/support/provider-server.js';
import { DONE, finishEvent, sseEvent, textEvent } from '../../../../../test/support/sse-stream.js';
import { CallGuard } from '../call.guard.js';

describe('a stream that stops', () => {
  it('B112: ends with a retryable idle time-out; what came before was delivered', async () => {
    let held: ServerResponse | undefined;
    const { stream } = await serveStream(
      (response) => {
        held = openEventStream(response);
        held.write(textEvent('one ') + textEvent('two'));
      },
      { timeouts: { idleMs: 100 } },
    );
    const { tokens, error } = await readStream(stream);
    expect(tokens).toEqual(['one ', 'two']);
    expect(error).toMatchObject({ kind: 'timeout', code: 'timeout:idle', timeout: 'idle', retryable: true });
    if (!held?.destroyed) await once(held!, 'close');
  });

  it('B112: is not kept alive by comments and empty deltas', async () => {
    for (const noise of [': keep-alive\n\n', sseEvent({ choices: [] })]) {
      const { stream } = await serveStream(
        (response) => {
          openEventStream(response).write(textEvent('a'));
          const timer = setInterval(() => response.write(noise), 10);
          response.once('close', () => clearInterval(timer));
        },
        { timeouts: { idleMs: 80 } },
      );
      expect((await readStream(stream)).error).toMatchObject({ code: 'timeout:idle' });
    }
  });

  it('does not count keep-alives as a first token', async () => {
    const { stream } = await serveStream(
      (response) => {
        openEventStream(response);
        const timer = setInterval(() => response.write(': keep-alive\n\n'), 10);
        response.once('close', () => clearInterval(timer));
      },
      { timeouts: { firstTokenMs: 80 }, retry: { attempts: 1 } },
    );
    expect((await readStream(stream)).error).toMatchObject({ code: 'timeout:first_token' });
  });
});

describe('a consumer', () => {
  it('that stops reading ends the call and its connection', async () => {
    let held: ServerResponse | undefined;
    const { stream, server } = await serveStream((response) => {
      held = openEventStream(response);
      held.write(textEvent('a'));
    });
    for await (const chunk of stream) {
      expect(chunk).toEqual({ type: 'token', text: 'a' });
      break;
    }
    if (!held?.destroyed) await once(held!, 'close');
    await server.quiet();
  });

  it('that leaves while a retry is awaited ends the call', async () => {
    const wait = vi.spyOn(CallGuard.prototype, 'wait');
    const { stream, server } = await serveStream((response) =>
      sendJson(response, { error: { message: 'busy' } }, 429, { 'retry-after': '30' }),
    );
    const iterator = stream[Symbol.asyncIterator]();
    const first = iterator.next();
    await vi.waitUntil(() => wait.mock.results.length === 1);
    await iterator.return?.();
    expect(await first).toEqual({ value: undefined, done: true });
    await expect(wait.mock.results[0]?.value).rejects.toThrow('The consumer stopped reading.');
    expect(server.requests).toHaveLength(1);
  });

  it('that aborts in the middle gets the reason of its signal', async () => {
    const controller = new AbortController();
    const { provider, server } = await serveStream((response) =>
      openEventStream(response).write(textEvent('a')),
    );
    const iterator = provider.streamChat({ ...REQUEST, signal: controller.signal })[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    controller.abort('enough');
    await expect(next).rejects.toBe('enough');
    await server.quiet();
  });

  it('that is slow slows the server, and loses nothing', async () => {
    const total = 2_000;
    const piece = 'x'.repeat(16_000);
    let written = 0;
    const { stream } = await serveStream(
      (response) => {
        openEventStream(response);
        const write = (): void => {
          while (written < total) {
            written++;
            if (!response.write(textEvent(piece))) return void response.once('drain', write);
          }
          response.end(finishEvent('stop') + DONE);
        };
        write();
      },
      { timeouts: { idleMs: 20_000 } },
    );
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    let before = -1;
    for (let calm = 0; calm < 200; calm = written === before ? calm + 1 : 0) {
      before = written;
      await endOfTurn();
    }
    expect(written).toBeLessThan(total / 2);
    let characters = piece.length;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.type === 'token') characters += next.value.text.length;
    }
    expect(characters).toBe(total * piece.length);
  });
});
