import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  LoopbackServer,
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
import type { LlmRequest, LlmStreamChunk } from '../llm.provider.js';
import { OpenAiProvider, type OpenAiProviderOptions } from './openai.provider.js';

const request: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const retryAtOnce = { baseDelayMs: 0 };
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
  return { server, provider, stream: provider.streamChat(request) };
}

interface Read {
  readonly tokens: string[];
  readonly finishes: Extract<LlmStreamChunk, { type: 'finish' }>[];
  readonly error: any;
}

async function read(stream: AsyncIterable<LlmStreamChunk>): Promise<Read> {
  const tokens: string[] = [];
  const finishes: Read['finishes'] = [];
  try {
    for await (const chunk of stream) {
      if (chunk.type === 'token') tokens.push(chunk.text);
      if (chunk.type === 'finish') finishes.push(chunk);
    }
  } catch (error) {
    return { tokens, finishes, error };
  }
  return { tokens, finishes, error: undefined };
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a streamed answer', () => {
  it('comes token by token, with one finish that holds the message and the usage', async () => {
    const { stream, server } = await serve((response) =>
      openEventStream(response).end(
        textEvent('he') +
          textEvent('llo') +
          toolEvent(0, 'c1', 'ping', '{}') +
          finishEvent('tool_calls') +
          usageEvent({ prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }) +
          DONE,
      ),
    );
    const { tokens, finishes } = await read(stream);
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
    const { stream } = await serve((response) => {
      held = openEventStream(response);
      held.write(textEvent('ok') + finishEvent('stop') + DONE);
    });
    const { tokens, finishes } = await read(stream);
    expect(tokens).toEqual(['ok']);
    expect(finishes).toHaveLength(1);
    expect(held?.destroyed).toBe(false);
    await once(held!, 'close');
  });

  it('uses the connection again after [DONE] if the body ends', async () => {
    const connections = new Set();
    const { provider, server } = await serve((response) => {
      for (const socket of server.sockets) connections.add(socket);
      openEventStream(response).write(textEvent('ok') + finishEvent('stop') + DONE);
      setImmediate(() => response.end());
    });
    for (let call = 0; call < 4; call++) {
      await read(provider.streamChat(request));
      await endOfTurn();
      await endOfTurn();
    }
    expect(connections.size).toBeLessThan(4);
  });

  it('B36: may come as one JSON body', async () => {
    const { stream } = await serve((response) => sendJson(response, textCompletion('whole')));
    const { tokens, finishes } = await read(stream);
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
      const { stream } = await serve(
        (response) => response.writeHead(200, { 'content-type': type }).end(text),
        {
          retry: { attempts: 1 },
        },
      );
      const { error, finishes } = await read(stream);
      expect(error).toMatchObject({ kind: 'unavailable' });
      expect(error.message).toContain('OpenAI-compatible');
      expect(finishes).toEqual([]);
    }
  });

  it('B38: throws the original error once; a further iteration makes a call of its own', async () => {
    const { stream, server } = await serve((response, _, number) => {
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
    expect(await read(stream)).toMatchObject({ tokens: ['a'], error: undefined });
    expect(server.requests).toHaveLength(2);
  });

  it('B38: leaves no unhandled rejection when nobody reads the error', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { stream } = await serve((response) => openEventStream(response).end(textEvent('a')));
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
    const late = await serve(cut, { retry: retryAtOnce });
    const { tokens, error } = await read(late.stream);
    expect(tokens).toEqual(['half']);
    expect(error).toMatchObject({ kind: 'incomplete_stream', retryable: true });
    expect(late.server.requests).toHaveLength(1);

    const early = await serve(
      (response, _, number) => {
        if (number === 1)
          openEventStream(response).write(toolEvent(0, 'a', 'pay', '{"n'), () => response.destroy());
        else openEventStream(response).end(textEvent('ok') + finishEvent('stop'));
      },
      { retry: retryAtOnce },
    );
    expect(await read(early.stream)).toMatchObject({ tokens: ['ok'], error: undefined });
    expect(early.server.requests).toHaveLength(2);
  });

  it('is whole if the connection is cut behind the finish reason', async () => {
    const { stream } = await serve((response) => {
      openEventStream(response).write(textEvent('all') + finishEvent('stop'), () => response.destroy());
    });
    expect(await read(stream)).toMatchObject({ tokens: ['all'], finishes: [{}], error: undefined });
  });
});

describe('a stream that stops', () => {
  it('B112: ends with a retryable idle time-out; what came before was delivered', async () => {
    let held: ServerResponse | undefined;
    const { stream } = await serve(
      (response) => {
        held = openEventStream(response);
        held.write(textEvent('one ') + textEvent('two'));
      },
      { timeouts: { idleMs: 100 } },
    );
    const { tokens, error } = await read(stream);
    expect(tokens).toEqual(['one ', 'two']);
    expect(error).toMatchObject({ kind: 'timeout', code: 'timeout:idle', timeout: 'idle', retryable: true });
    if (!held?.destroyed) await once(held!, 'close');
  });

  it('B112: is not kept alive by comments and empty deltas', async () => {
    for (const noise of [': keep-alive\n\n', sseEvent({ choices: [] })]) {
      const { stream } = await serve(
        (response) => {
          openEventStream(response).write(textEvent('a'));
          const timer = setInterval(() => response.write(noise), 10);
          response.once('close', () => clearInterval(timer));
        },
        { timeouts: { idleMs: 80 } },
      );
      expect((await read(stream)).error).toMatchObject({ code: 'timeout:idle' });
    }
  });

  it('does not count keep-alives as a first token', async () => {
    const { stream } = await serve(
      (response) => {
        openEventStream(response);
        const timer = setInterval(() => response.write(': keep-alive\n\n'), 10);
        response.once('close', () => clearInterval(timer));
      },
      { timeouts: { firstTokenMs: 80 }, retry: { attempts: 1 } },
    );
    expect((await read(stream)).error).toMatchObject({ code: 'timeout:first_token' });
  });
});

describe('a consumer', () => {
  it('that stops reading ends the call and its connection', async () => {
    let held: ServerResponse | undefined;
    const { stream, server } = await serve((response) => {
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

  it('that aborts in the middle gets the reason of its signal', async () => {
    const controller = new AbortController();
    const { provider, server } = await serve((response) => openEventStream(response).write(textEvent('a')));
    const iterator = provider.streamChat({ ...request, signal: controller.signal })[Symbol.asyncIterator]();
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
    const { stream } = await serve(
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
