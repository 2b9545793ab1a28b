import { describe, expect, it, vi } from 'vitest';
import { LlmException, NodeChannel, OperatorContext, type AgentStreamChunk } from '@nestor/core';
import { openEventStream, sendJson } from '../support/loopback-server.js';
import { recordingListener } from '../support/scripted-agent.js';
import { answerEvents, answerJson, requestFaults, servedAgent } from '../support/served-agent.js';
import { argumentsEvent, DONE, finishEvent, sseEvent, textEvent, toolEvent } from '../support/sse-stream.js';

/** Streams a run; gives the chunks that came and the error it ended with, if any. */
async function readRun(running: (channel: NodeChannel<AgentStreamChunk>) => Promise<void>) {
  const channel = new NodeChannel<AgentStreamChunk>();
  const ended = running(channel).then(
    () => channel.close(),
    (error: unknown) => channel.fail(error),
  );
  const chunks: AgentStreamChunk[] = [];
  try {
    for await (const chunk of channel) chunks.push(chunk);
    return { chunks, error: undefined };
  } catch (error) {
    return { chunks, error: error as LlmException };
  } finally {
    await ended;
  }
}

describe('a streamed run over HTTP', () => {
  it('B13: starts no tool before the stream has ended, and not on a part of the arguments', async () => {
    const del = vi.fn();
    let release = (): void => {};
    const served = await servedAgent({
      serve: (_, number, response) => {
        if (number > 1) return { text: 'done' };
        openEventStream(response).write(textEvent('Well') + toolEvent(0, 'a', 'del', '{"id":"1"}'));
        release = () =>
          void response.end(argumentsEvent(0, ', "dryRun":true}') + finishEvent('tool_calls') + DONE);
        return undefined;
      },
      tools: { del },
    });
    const channel = new NodeChannel<AgentStreamChunk>();
    const running = served.streaming.execute('go', channel, OperatorContext.root());
    expect((await channel.next()).value).toMatchObject({ type: 'token', text: 'Well' });
    // The arguments stood as whole JSON in the same packet as the token.
    expect(channel.poll()).toBeUndefined();
    release();
    await running;
    expect(del).not.toHaveBeenCalled();
    expect(served.bodies()[1]!.messages.at(-1)!.content).toMatch(/invalid_json/);
    expect(requestFaults(served.bodies()[1]!)).toEqual([]);
  });

  it('B32: ends at once though the server keeps the connection open behind [DONE]', async () => {
    const served = await servedAgent({
      serve: (_, __, response) => {
        openEventStream(response).write(answerEvents({ text: 'ok' }));
        return undefined;
      },
    });
    const startedAt = performance.now();
    const { chunks, error } = await readRun((channel) =>
      served.streaming.execute('hi', channel, OperatorContext.root()),
    );
    expect(error).toBeUndefined();
    expect(chunks.at(-1)).toMatchObject({ type: 'done', finalOutput: { content: 'ok' } });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    await served.server.quiet();
    await served.provider.close();
  });

  it('B34: ends with the typed error that the server sent in mid-stream, and does not try again', async () => {
    const served = await servedAgent({
      serve: (_, __, response) => {
        const error = { message: 'ctx', type: 'invalid_request_error', code: 'context_length_exceeded' };
        openEventStream(response).end(textEvent('a') + sseEvent({ error }));
        return undefined;
      },
    });
    const { chunks, error } = await readRun((channel) =>
      served.streaming.execute('hi', channel, OperatorContext.root()),
    );
    expect(chunks).toEqual([{ type: 'token', text: 'a', turnNumber: 1 }]);
    expect(error).toBeInstanceOf(LlmException);
    expect(error).toMatchObject({
      kind: 'context_length',
      providerCode: 'context_length_exceeded',
      providerType: 'invalid_request_error',
      retryable: false,
      runId: expect.any(String),
      checkpoint: { conversation: [{ role: 'user', content: 'hi' }] },
    });
    expect(served.server.requests).toHaveLength(1);
  });

  it('B36: takes one JSON object for a stream, with its text and its calls', async () => {
    const served = await servedAgent({
      serve: (_, number, response) => {
        const answer =
          number === 1
            ? { text: 'look', calls: [{ id: 'a', name: 'ping', arguments: '{}' }] }
            : { text: 'It is pong.' };
        sendJson(response, answerJson(answer));
        return undefined;
      },
      tools: { ping: () => 'pong' },
    });
    const { chunks } = await readRun((channel) =>
      served.streaming.execute('hi', channel, OperatorContext.root()),
    );
    const tokens = chunks.flatMap((chunk) => (chunk.type === 'token' ? [chunk.text] : []));
    expect(tokens).toEqual(['look', 'It is pong.']);
    expect(chunks.at(-1)).toMatchObject({ type: 'done', finalOutput: { content: 'It is pong.' } });
  });

  it('B112: the consumer saw what came before the silence; the error says it may be tried again', async () => {
    const listener = recordingListener();
    const served = await servedAgent({
      serve: (_, __, response) => {
        openEventStream(response).write(textEvent('one ') + textEvent('two'));
        return undefined;
      },
      provider: { timeouts: { idleMs: 100 } },
      services: { listeners: [listener] },
    });
    const { chunks, error } = await readRun((channel) =>
      served.streaming.execute('hi', channel, OperatorContext.root()),
    );
    expect(chunks.map((chunk) => chunk.type === 'token' && chunk.text)).toEqual(['one ', 'two']);
    expect(error).toMatchObject({ code: 'timeout:idle', kind: 'timeout', retryable: true });
    expect(served.server.requests).toHaveLength(1);
    expect(listener.heard.map(({ name }) => name)).toEqual(['onAgentTurnStarted', 'onAgentLoopExited']);
    expect(listener.heard[1]!.payload).toMatchObject({ exitReason: 'error' });
    await served.server.quiet();
  });
});
