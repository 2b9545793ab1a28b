import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  AgentMemoryStrategy,
  DeadlineExceededException,
  OperatorContext,
  toInputSchema,
  type Operator,
} from '@nestor/core';
import { openEventStream, sendJson } from '../support/loopback-server.js';
import { rejection } from '../support/run-outcome.js';
import { recordingListener } from '../support/scripted-agent.js';
import {
  requestFaults,
  servedAgent,
  stringsIn,
  WAYS_TO_RUN,
  type ServedCall,
} from '../support/served-agent.js';

const call = (name: string, args = '{}', id = 'a'): ServedCall => ({ id, name, arguments: args });

/** A tool with a schema of its own. */
function tool(input: z.ZodType, execute: (input: never) => unknown): Operator<never> {
  return { metadata: { input: toInputSchema(input, 'a test') }, execute };
}

describe.each(WAYS_TO_RUN)('a run over HTTP, %s', (_, run) => {
  it('B40: runs the tools of a message whose reason is stop; listeners hear the raw reason', async () => {
    const ping = vi.fn(() => 'pong');
    const listener = recordingListener();
    const served = await servedAgent({
      serve: (__, number) =>
        number === 1 ? { text: 'let me look', calls: [call('ping')], reason: 'stop' } : { text: 'done' },
      tools: { ping },
      services: { listeners: [listener] },
    });
    expect((await run(served, 'go')).content).toBe('done');
    expect(ping).toHaveBeenCalledOnce();
    const called = listener.heard.filter(({ name }) => name === 'onAgentLlmCalled');
    expect(called.map(({ payload }) => payload.finishReason)).toEqual(['stop', 'stop']);
  });

  it.each(['length', 'content_filter'])('B42: makes no call of a message ended by %s', async (reason) => {
    const pay = vi.fn();
    const served = await servedAgent({
      serve: () => ({ calls: [call('pay', '{"n":1}')], reason }),
      tools: { pay },
    });
    const output = await run(served, 'pay');
    expect(output).toMatchObject({ exitReason: reason, finishReason: reason });
    expect(output.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'a' });
    expect(pay).not.toHaveBeenCalled();
    expect(served.server.requests).toHaveLength(1);
  });

  it.each([
    ['B51', call('nope'), /unknown_tool.*ping/],
    ['B53', call('$READ FILE'), /unknown_tool/],
    ['B55', call('ping', '{bad'), /invalid_json/],
  ])('%s: the next request is valid and tells the model what was wrong', async (__, wrong, told) => {
    const listener = recordingListener();
    const served = await servedAgent({
      serve: (___, number) => (number === 1 ? { calls: [wrong] } : { text: 'sorry' }),
      tools: { ping: () => 'pong' },
      services: { listeners: [listener] },
    });
    expect((await run(served, 'go')).content).toBe('sorry');
    const next = served.bodies()[1]!;
    expect(requestFaults(next)).toEqual([]);
    const results = next.messages.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(1);
    expect(results[0]!.content).toMatch(told);
    expect(listener.heard.find(({ name }) => name === 'onAgentToolDispatched')?.payload).toMatchObject({
      toolName: wrong.name,
      argumentsJson: wrong.arguments,
    });
  });

  it('B73: every string that leaves is well-formed', async () => {
    const listener = recordingListener();
    const served = await servedAgent({
      serve: (__, number) =>
        number === 1
          ? { text: 'half \ud83d', calls: [call('fire', '{"t":"\\ud83d"}'), call('fails', '{}', 'b')] }
          : { text: 'done' },
      tools: {
        fire: ({ t }: { t: string }) => `${'x'.repeat(999)}\u{1F525}${'y'.repeat(500)}${t}\0`,
        fails: () => {
          throw new Error('bad \udd25');
        },
      },
      define: (builder) => builder.toolResultLimit(1000).systemPrompt('Be \ud800 kind.'),
      services: { listeners: [listener] },
    });
    const output = await run(served, 'a half \udd25 asks');
    expect(served.server.requests).toHaveLength(2);
    const strings = [
      ...stringsIn(served.bodies()),
      ...stringsIn(output.checkpoint),
      ...stringsIn(output.messages),
      ...stringsIn(listener.heard.map(({ payload }) => payload)),
    ];
    expect(strings.filter((text) => !text.isWellFormed() || text.includes('\0'))).toEqual([]);
  });

  it('B84: keeps the question through four tool rounds in a window of two', async () => {
    const served = await servedAgent({
      serve: (__, number) =>
        number < 5 ? { calls: [call('ping', `{"n":${number}}`, `c${number}`)] } : { text: 'done' },
      tools: { ping: () => 'pong' },
      define: (builder) => builder.systemPrompt('Be kind.').memory(AgentMemoryStrategy.slidingWindow(2)),
    });
    const history = ['old question', { role: 'assistant', content: 'old answer' }];
    const output = await run(served, [...history, 'the question']);
    expect(output.messages).toHaveLength(13);
    const [first, ...later] = served.bodies();
    expect(first!.messages.map(({ content }) => content)).toEqual(['Be kind.', 'old answer', 'the question']);
    for (const body of later) {
      expect(requestFaults(body)).toEqual([]);
      expect(body.messages.slice(0, 2).map(({ content }) => content)).toEqual(['Be kind.', 'the question']);
    }
    expect(later[3]!.messages).toHaveLength(10);
  });

  it('B92: sends null for an assistant message with calls and no text, a text otherwise', async () => {
    const served = await servedAgent({
      serve: (__, number) =>
        number === 1
          ? { calls: [call('ping')] }
          : number === 2
            ? { text: 'look', calls: [call('ping', '{}', 'b')] }
            : { text: '' },
      tools: { ping: () => 'pong' },
    });
    const { checkpoint, content } = await run(served, 'go');
    expect(content).toBe('');
    await run(served, [...checkpoint.conversation, 'again']);
    const sent = served.bodies()[3]!.messages.filter(({ role }) => role === 'assistant');
    expect(sent.map((message) => [message.content, message.tool_calls?.length])).toEqual([
      [null, 1],
      ['look', 1],
    ]);
    for (const body of served.bodies()) expect(requestFaults(body)).toEqual([]);
  });

  it('B94: joins the leading system messages into one', async () => {
    const served = await servedAgent({
      serve: () => ({ text: 'ok' }),
      define: (builder) => builder.systemPrompt('One.'),
    });
    await run(served, [{ role: 'system', content: 'Two.' }, { role: 'system', content: 'Three.' }, 'hi']);
    expect(served.bodies()[0]!.messages).toEqual([
      { role: 'system', content: 'One.\n\nTwo.\n\nThree.' },
      { role: 'user', content: 'hi' },
    ]);
  });

  it('B96: asks for every property in strict mode, and takes null as not given', async () => {
    const search = vi.fn((_input: never) => 'found');
    const input = z.object({
      q: z.string(),
      limit: z.number().optional(),
      f: z.object({ a: z.string().optional() }).optional(),
    });
    const served = await servedAgent({
      serve: (__, number) =>
        number === 1
          ? {
              calls: [
                call('search', '{"q":"x","limit":null,"f":null}'),
                call('search', '{"q":"y","limit":2,"f":{"a":null}}', 'b'),
              ],
            }
          : { text: 'done' },
      tools: { search: tool(input, search) },
      provider: { profile: { strictSchemas: true } },
    });
    expect((await run(served, 'go')).content).toBe('done');
    expect(search.mock.calls.map(([given]) => given)).toEqual([{ q: 'x' }, { q: 'y', limit: 2, f: {} }]);
    const { strict, parameters } = served.bodies()[0]!.tools![0].function;
    expect(strict).toBe(true);
    expect(parameters).toMatchObject({
      required: ['q', 'limit', 'f'],
      additionalProperties: false,
      properties: {
        limit: { type: ['number', 'null'] },
        f: { required: ['a'], additionalProperties: false },
      },
    });
  });

  it('B100: sends an object schema for a tool without parameters', async () => {
    const served = await servedAgent({
      serve: () => ({ text: 'ok' }),
      tools: { bare: () => 1, empty: tool(z.object({}), () => 1) },
    });
    await run(served, 'hi');
    const [bare, empty] = served.bodies()[0]!.tools!.map(({ function: told }) => told.parameters);
    expect(bare).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect(empty).toMatchObject({ type: 'object', properties: {} });
  });

  it('B106: waits as long as the server asks, and tries no more often than configured', async () => {
    const times: number[] = [];
    const served = await servedAgent({
      serve: (__, number, response) => {
        times.push(performance.now());
        if (number > 2) return { text: 'up' };
        sendJson(response, { error: { message: 'slow down' } }, 429, { 'retry-after-ms': '150' });
        return undefined;
      },
    });
    expect((await run(served, 'hi')).content).toBe('up');
    expect(times).toHaveLength(3);
    // Timers may fire a millisecond early.
    for (const at of [1, 2]) expect(times[at]! - times[at - 1]!).toBeGreaterThan(145);
  });

  it('B106: a run adds no attempts of its own to those of the provider', async () => {
    const served = await servedAgent({
      serve: (__, ___, response) => {
        sendJson(response, { error: { message: 'slow down' } }, 429);
        return undefined;
      },
      provider: { retry: { attempts: 2, baseDelayMs: 0 } },
    });
    const error = await rejection(run(served, 'hi'));
    expect(error).toMatchObject({ kind: 'rate_limit', runId: expect.any(String), status: 429 });
    expect(error.checkpoint.conversation).toEqual([{ role: 'user', content: 'hi' }]);
    expect(served.server.requests).toHaveLength(2);
  });

  it('B110: tells its deadline, a limit of the provider and an abort apart', async () => {
    const silent = () => undefined;
    const controller = new AbortController();
    const [limited, overdue, cancelled] = await Promise.all([
      servedAgent({ serve: silent, provider: { timeouts: { totalMs: 50 } } }),
      servedAgent({ serve: silent, define: (builder) => builder.deadline(50) }),
      servedAgent({
        serve: () => {
          controller.abort(new Error('enough'));
          return undefined;
        },
      }),
    ]);
    const errors = await Promise.all([
      rejection(run(limited, 'hi')),
      rejection(run(overdue, 'hi')),
      rejection(run(cancelled, 'hi', OperatorContext.root({ signal: controller.signal }))),
    ]);
    expect(errors.map(({ code }) => code)).toEqual(['timeout:total', 'deadline', 'aborted']);
    expect(errors[2].cause).toBe(controller.signal.reason);
    await Promise.all([limited, overdue, cancelled].map(({ server }) => server.quiet()));
  });

  it('B50: ends at its deadline though the server keeps sending signs of life', async () => {
    const beats = new Set<NodeJS.Timeout>();
    const served = await servedAgent({
      serve: (__, ___, response) => {
        openEventStream(response).write(': hello\n\n');
        const beat = setInterval(() => response.write(': still here\n\n'), 10);
        beats.add(beat);
        response.once('close', () => {
          clearInterval(beat);
          beats.delete(beat);
        });
        return undefined;
      },
      define: (builder) => builder.deadline(150),
    });
    const error = await rejection(run(served, 'hi'));
    expect(error).toBeInstanceOf(DeadlineExceededException);
    expect(error).toMatchObject({ runId: expect.any(String), checkpoint: { turnCount: 1 } });
    await served.server.quiet();
    expect(beats.size).toBe(0);
  });
});
