import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  openEventStream,
  sendJson,
  textCompletion,
  type LoopbackHandler,
} from '../../../../../test/support/loopback-server.js';
import {
  DONE,
  finishEvent,
  sseEvent,
  textEvent,
  toolEvent,
  usageEvent,
} from '../../../../../test/support/sse-stream.js';
import { endOfTurn, readStream, REQUEST, serveStream } from '../../../../../test/support/provider-server.js';

const retryAtOnce = { baseDelayMs: 0 };

describe('a streamed answer', () => {
  it('comes token by token, with one finish that holds the message and the usage', async () => {
    const { stream, server } = await serveStream((response) =>
      openEventStream(response).end(
        textEvent('he') +
          textEvent('llo') +
          toolEvent(0, 'c1', 'ping', '{}') +
          finishEvent('tool_calls') +
          usageEvent({ prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }) +
          DONE,
      ),
    );
    const { tokens, finishes } = await readStream(stream);
    expect(tokens).toEqual(['he', 'llo']);
    expect(finishes.map(({ response }) => response)).toEqual([
      {
        message: {
          role: 'assistant',
          content: 'hello',
          toolCalls: [{ id: 'c1', name: 'ping', arguments: '{}' }],
        },
        finishReason: 'tool_calls',
        usage: expect.objectContaining({ promptTokens: 4, completionTokens: 2, totalTokens: 6 }),
      },
    ]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('B32: ends at [DONE] at once, though the server keeps the connection', async () => {
    let held: ServerResponse | undefined;
    const { stream } = await serveStream((response) => {
      held = openEventStream(response);
      held.write(textEvent('ok') + finishEvent('stop') + DONE);
    });
    const { tokens, finishes } = await readStream(stream);
    expect(tokens).toEqual(['ok']);
    expect(finishes).toHaveLength(1);
    expect(held?.destroyed).toBe(false);
    await once(held!, 'close');
  });

  it('uses the connection again after [DONE] if the body ends', async () => {
    const connections = new Set();
    const { provider, server } = await serveStream((response) => {
      for (const socket of server.sockets) connections.add(socket);
      openEventStream(response).write(textEvent('ok') + finishEvent('stop') + DONE);
      setImmediate(() => response.end());
    });
    for (let call = 0; call < 4; call++) {
      await readStream(provider.streamChat(REQUEST));
      await endOfTurn();
      await endOfTurn();
    }
    expect(connections.size).toBeLessThan(4);
  });

  it('B36: may come as one JSON body', async () => {
    const { stream } = await serveStream((response) => sendJson(response, textCompletion('whole')));
    const { tokens, finishes } = await readStream(stream);
    expect(tokens).toEqual(['whole']);
    expect(finishes[0]?.response).toMatchObject({ message: { content: 'whole' }, finishReason: 'stop' });
    expect(finishes).toHaveLength(1);
  });

  it('B36: is never taken from a body that is none', async () => {
    const bodies = [
      ['application/json', '{"hello":1}'],
      ['text/html', '<html></html>'],
    ] as const;
    for (const [type, text] of bodies) {
      const { stream } = await serveStream(
        (response) => response.writeHead(200, { 'content-type': type }).end(text),
        {
          retry: { attempts: 1 },
        },
      );
      const { error, finishes } = await readStream(stream);
      expect(error).toMatchObject({ kind: 'unavailable' });
      expect(error.message).toContain('OpenAI-compatible');
      expect(finishes).toEqual([]);
    }
  });

  it('B38: throws the original error once; a further iteration makes a call of its own', async () => {
    const { stream, server } = await serveStream((response, _, number) => {
      openEventStream(response).write(textEvent('a'));
      if (number === 1)
        response.end(sseEvent({ error: { message: 'ctx', code: 'context_length_exceeded' } }));
      else response.end(finishEvent('stop') + DONE);
    });
    const iterator = stream[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { type: 'token', text: 'a' } });
    await expect(iterator.next()).rejects.toMatchObject({
      kind: 'context_length',
      providerCode: 'context_length_exceeded',
    });
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
    expect(await readStream(stream)).toMatchObject({ tokens: ['a'], error: undefined });
    expect(server.requests).toHaveLength(2);
  });

  it('B38: leaves no unhandled rejection when nobody reads the error', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { stream } = await serveStream((response) => openEventStream(response).end(textEvent('a')));
      await stream[Symbol.asyncIterator]().next();
      for (let turn = 0; turn < 20; turn++) await endOfTurn();
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('is incomplete if the connection is cut, and retried only if nothing was delivered', async () => {
    const cut: LoopbackHandler = (response) => {
      openEventStream(response).write(textEvent('half'), () => response.destroy());
    };
    const late = await serveStream(cut, { retry: retryAtOnce });
    const { tokens, error } = await readStream(late.stream);
    expect(tokens).toEqual(['half']);
    expect(error).toMatchObject({ kind: 'incomplete_stream', retryable: true });
    expect(late.server.requests).toHaveLength(1);

    const early = await serveStream(
      (response, _, number) => {
        if (number === 1)
          openEventStream(response).write(toolEvent(0, 'a', 'pay', '{"n'), () => response.destroy());
        else openEventStream(response).end(textEvent('ok') + finishEvent('stop'));
      },
      { retry: retryAtOnce },
    );
    expect(await readStream(early.stream)).toMatchObject({ tokens: ['ok'], error: undefined });
    expect(early.server.requests).toHaveLength(2);
  });

  it('is whole if the connection is cut behind the finish reason', async () => {
    const { stream } = await serveStream((response) => {
      openEventStream(response).write(textEvent('all') + finishEvent('stop'), () => response.destroy());
    });
    expect(await readStream(stream)).toMatchObject({ tokens: ['all'], finishes: [{}], error: undefined });
  });
});
