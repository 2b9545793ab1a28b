import { Injectable, Logger } from '@nestjs/common';
import { ActiveRuns, Operator } from '@nestor/agent';
import {
  AgentBuilder,
  LlmException,
  ScriptedProvider,
  type LlmProvider,
  type ScriptedStep,
} from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  allServerEvents,
  serverEvents,
  startHttpAgents,
  type HttpAgents,
} from '../../../../test/support/http-agents.js';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';
import { haltingModel, stuckModel } from '../../../../test/support/streaming-model.js';

@Injectable()
class Desk {
  @Operator({ description: 'Open a ticket' })
  openTicket(): unknown {
    return { ticket: 'T-1' };
  }

  @Operator({ description: 'Fails' })
  breakDown(): unknown {
    throw new Error('Out of paper.');
  }
}

const closing: (() => unknown)[] = [];

async function serve(
  provider: LlmProvider | readonly ScriptedStep[],
  more: Partial<Parameters<typeof startHttpAgents>[0]> = {},
): Promise<HttpAgents> {
  const served = await startHttpAgents({
    agents: [AgentBuilder.create('desk').model('m').tools('all')],
    provider: 'chat' in provider ? provider : new ScriptedProvider(provider),
    providers: [Desk],
    ...more,
  });
  closing.push(() => served.close());
  return served;
}

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('POST /agents/:name/runs with accept: text/event-stream', () => {
  it('sends each chunk as an event named after it, ids counting from 1, done last', async () => {
    const { stream } = await serve([
      { tokens: ['Let ', 'me see.'], ...calls(['openTicket', {}, 'c1']) },
      calls(['breakDown', {}, 'c2']),
      { tokens: ['It is ', '"T-1".\n'] },
    ]);
    const response = await stream('/agents/desk/runs', { input: 'Help' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    const events = await allServerEvents(response);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => String(index + 1)));
    expect(events.every(({ event, data }) => event === data['type'])).toBe(true);
    expect(events.slice(0, -1).map(({ data }) => data)).toEqual([
      { type: 'token', text: 'Let ', turnNumber: 1 },
      { type: 'token', text: 'me see.', turnNumber: 1 },
      { type: 'tool_start', toolName: 'openTicket', toolCallId: 'c1', turnNumber: 1 },
      { type: 'tool_end', toolName: 'openTicket', toolCallId: 'c1', success: true, turnNumber: 1 },
      { type: 'tool_start', toolName: 'breakDown', toolCallId: 'c2', turnNumber: 2 },
      { type: 'tool_end', toolName: 'breakDown', toolCallId: 'c2', success: false, turnNumber: 2 },
      { type: 'token', text: 'It is ', turnNumber: 3 },
      { type: 'token', text: '"T-1".\n', turnNumber: 3 },
    ]);
    expect(events.at(-1)!.data).toMatchObject({
      type: 'done',
      finalOutput: { content: 'It is "T-1".\n', exitReason: 'stop', turnsUsed: 3 },
    });
  });

  it('sends a token when it comes, not when the answer is whole', async () => {
    const more = deferred();
    const { provider } = haltingModel(more.promise);
    const { stream } = await serve(provider);
    const events = serverEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    expect((await events.next()).value).toMatchObject({ event: 'token', data: { text: 'Well' } });
    more.resolve();
    expect((await events.next()).value).toMatchObject({ event: 'done' });
    expect(await events.next()).toMatchObject({ done: true });
  });

  it('keeps line breaks and separators of texts inside their event', async () => {
    const text = 'a\r\n\r\nb\u2028c\n\nevent: done\ndata: {}\n\n';
    const { stream } = await serve([{ tokens: [text] }]);
    const events = await allServerEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    expect(events.map(({ event }) => event)).toEqual(['token', 'done']);
    expect(events[0]!.data['text']).toBe(text);
  });

  it('answers a bad body and an unknown agent with a problem, before any event', async () => {
    const { stream } = await serve([]);
    for (const [path, body, status] of [
      ['/agents/desk/runs', {}, 400],
      ['/agents/nobody/runs', { input: 'Hi' }, 404],
    ] as const) {
      const response = await stream(path, body);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    }
  });

  it.each([
    ['the provider', new LlmException('No more.', { kind: 'rate_limit' }), 502, 'llm_rate_limit', 'No more.'],
    ['a bug', new TypeError('inside'), 500, 'error', "The run failed; the server's log says why."],
  ])('ends with an error event when %s fails, without done', async (_, error, status, code, detail) => {
    const logged = [vi.spyOn(Logger.prototype, 'error'), vi.spyOn(Logger.prototype, 'warn')];
    const { stream } = await serve([{ tokens: ['So'], error }]);
    const events = await allServerEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    expect(events).toMatchObject([
      { id: '1', event: 'token' },
      { id: '2', event: 'error', data: { type: 'about:blank', status, code, detail } },
    ]);
    expect(events[1]!.data['runId']).toMatch(/^[\da-f-]{36}$/);
    expect(
      logged
        .flatMap(({ mock }) => mock.calls)
        .flat()
        .join(),
    ).toContain(error.message);
  });
});

describe('a client that goes away', () => {
  it('aborts the run and the call of the model', async () => {
    const model = stuckModel();
    const { stream, app } = await serve(model.provider);
    const client = new AbortController();
    const response = await stream('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal });
    expect((await serverEvents(response).next()).value).toMatchObject({ event: 'token' });
    expect(app.get(ActiveRuns).size).toBe(1);
    client.abort();
    await model.ended;
    await app.get(ActiveRuns).close(60_000);
  });
});
