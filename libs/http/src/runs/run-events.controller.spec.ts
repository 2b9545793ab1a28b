import { Injectable } from '@nestjs/common';
import { AgentJournal, Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type ScriptedStep } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  allServerEvents,
  serverEvents,
  startHttpAgents,
  type HttpAgents,
  type Platform,
} from '../../../../test/support/http-agents.js';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';

@Injectable()
class Desk {
  @Operator({ description: 'Opens a ticket' })
  openTicket(): string {
    return 'T-1';
  }
}

const TYPES = [
  'AGENT_TURN_STARTED',
  'AGENT_LLM_CALLED',
  'AGENT_TOOL_DISPATCHED',
  'AGENT_TOOL_COMPLETED',
  'AGENT_TURN_STARTED',
  'AGENT_LLM_CALLED',
  'AGENT_LOOP_EXITED',
];

describe('GET /runs/:id/events', () => {
  let served: HttpAgents | undefined;
  afterEach(() => served?.close());

  async function start(
    script: (asked: number) => ScriptedStep | Promise<ScriptedStep>,
    enabled = true,
    platform: Platform = 'express',
  ): Promise<HttpAgents> {
    served = await startHttpAgents({
      platform,
      agents: [AgentBuilder.create('desk').model('m').tools('all')],
      provider: new ScriptedProvider((_, asked) => script(asked)),
      providers: [Desk],
      options: {
        durability: 'run',
        database: { url: 'sqlite::memory:' },
        eventJournal: { enabled },
        caller: { serialize: () => ({}), restore: () => ({}) },
      },
    });
    return served;
  }

  const twoTurns = (asked: number): ScriptedStep =>
    asked === 1 ? calls(['openTicket', {}, 't']) : { text: 'T-1 is open.' };

  async function finishedRun(platform?: Platform): Promise<string> {
    const { post } = await start(twoTurns, true, platform);
    const { runId } = (await (await post('/agents/desk/runs', { input: 'Hi' })).json()) as { runId: string };
    const path = `/runs/${runId}/events`;
    // Events may be written a little later than the run ends.
    await vi.waitFor(async () => expect((await get(path)).body.events).toHaveLength(TYPES.length));
    return path;
  }

  /** A run whose model answers the first time, and the second time when it is told to. */
  async function runUnderWay(
    first: ScriptedStep = twoTurns(1),
  ): Promise<{ path: string; finish: () => Promise<unknown> }> {
    const asked = deferred();
    const answer = deferred<ScriptedStep>();
    const { post, url } = await start((number) => {
      if (number === 1 && first.toolCalls) return first;
      asked.resolve();
      return answer.promise;
    });
    const running = post('/agents/desk/runs', { input: 'Hi' });
    await asked.promise;
    const { runs } = (await (await fetch(`${url}/runs`)).json()) as { runs: { runId: string }[] };
    const finish = async (): Promise<unknown> => {
      answer.resolve(first.toolCalls ? { text: 'Done.' } : first);
      return running;
    };
    return { path: `/runs/${runs[0]!.runId}/events`, finish };
  }

  async function get(path: string): Promise<{ status: number; body: any }> {
    const response = await fetch(served!.url + path);
    return { status: response.status, body: await response.json() };
  }

  const watch = (path: string, headers: object = {}, signal?: AbortSignal): Promise<Response> =>
    fetch(served!.url + path, {
      headers: { accept: 'text/event-stream', ...headers },
      ...(signal && { signal }),
    });

  describe('as JSON', () => {
    it('gives the events in pages', async () => {
      const path = await finishedRun();
      const { events } = (await get(path)).body;
      expect(events.map(({ type }: { type: string }) => type)).toEqual(TYPES);
      const first = (await get(`${path}?limit=5`)).body;
      expect(first.next).toBe(5);
      const second = (await get(`${path}?limit=5&after=5`)).body;
      expect([...first.events, ...second.events]).toEqual(events);
      expect('next' in second).toBe(false);
      expect((await get(`${path}?after=7`)).body).toEqual({ events: [] });
    });

    it('gives the events of one type', async () => {
      const path = await finishedRun();
      const { events } = (await get(`${path}?type=AGENT_LLM_CALLED&after=2`)).body;
      expect(events).toMatchObject([{ sequenceNumber: 6, type: 'AGENT_LLM_CALLED' }]);
    });

    it.each([
      ['?after=-1', /after is "-1"; it must be a whole number from 0/],
      ['?limit=1001', /limit is "1001"; it must be a whole number from 1 to 1000/],
      ['?type=AGENT_LLM_CALED', /type is .*Did you mean "AGENT_LLM_CALLED"\?/],
      ['?from=1', /There is no parameter "from"/],
    ])('refuses %s', async (query, detail) => {
      await start(twoTurns);
      expect(await get(`/runs/r/events${query}`)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(detail) },
      });
    });

    it('is 404 for an unknown run, and 501 without a journal', async () => {
      await start(twoTurns);
      expect((await get('/runs/nothing/events')).status).toBe(404);
      await served!.close();
      await start(twoTurns, false);
      expect(await get('/runs/nothing/events')).toMatchObject({
        status: 501,
        body: { code: 'journal_off', detail: expect.stringContaining('eventJournal: { enabled: true }') },
      });
    });
  });

  describe('as server-sent events', () => {
    it('gives what there is, what comes, and ends with the run', async () => {
      const { path, finish } = await runUnderWay();
      const events = serverEvents(await watch(path));
      const seen = [];
      for (const type of TYPES.slice(0, 4)) {
        const { value } = await events.next();
        seen.push(value);
        expect(value).toMatchObject({ event: type });
      }
      await finish();
      for await (const event of events) seen.push(event);
      expect(seen.map((event) => [event?.id, event?.event, event?.data['sequenceNumber']])).toEqual(
        TYPES.map((type, index) => [String(index + 1), type, index + 1]),
      );
    });

    it.each([
      ['?after=5', {}],
      ['', { 'last-event-id': '5' }],
      ['?after=1', { 'last-event-id': '5' }],
    ])('goes on after the event that the client has (%s %j)', async (query, headers) => {
      const path = await finishedRun();
      const events = await allServerEvents(await watch(path + query, headers));
      expect(events.map(({ id }) => id)).toEqual(['6', '7']);
    });

    it('works on Fastify too', async () => {
      const path = await finishedRun('fastify');
      const events = await allServerEvents(await watch(path, { 'last-event-id': '5' }));
      expect(events.map(({ id }) => id)).toEqual(['6', '7']);
      expect((await watch(path, { 'last-event-id': '7' })).status).toBe(204);
      expect((await get(`${path}?limit=1`)).body).toMatchObject({ next: 1 });
    });

    it.each([
      ['', '7'],
      ['?type=AGENT_TURN_STARTED', '5'],
    ])('tells a client that has it all not to come again (%s)', async (query, last) => {
      const path = (await finishedRun()) + query;
      expect((await watch(path, { 'last-event-id': last })).status).toBe(204);
      expect((await watch(path, { 'last-event-id': '4' })).status).toBe(200);
    });

    it('tells so one that wants what did not happen, when the run has ended', async () => {
      const { path, finish } = await runUnderWay({ text: 'No ticket.' });
      const watching = await watch(`${path}?type=AGENT_TOOL_DISPATCHED`);
      await finish();
      expect(await allServerEvents(watching)).toEqual([]);
      expect((await watch(`${path}?type=AGENT_TOOL_DISPATCHED`)).status).toBe(204);
    });

    it('can be of one type, and ends all the same', async () => {
      const path = await finishedRun();
      const events = await allServerEvents(await watch(`${path}?type=AGENT_TURN_STARTED`));
      expect(events.map(({ id }) => id)).toEqual(['1', '5']);
    });

    it('refuses a header that is no number, and an unknown run, before any event', async () => {
      const path = await finishedRun();
      const wrong = await watch(path, { 'last-event-id': 'x' });
      expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Last-Event-ID is')]);
      expect((await watch('/runs/nothing/events')).status).toBe(404);
    });

    /** Resolves when the journal is read no more. */
    function readingEnds(): Promise<void> {
      const journal = served!.app.get(AgentJournal);
      const stream = journal.stream.bind(journal);
      const ended = deferred();
      journal.stream = async function* (...args) {
        try {
          yield* stream(...args);
        } finally {
          ended.resolve();
        }
      };
      return ended.promise;
    }

    it('reads no more for a client that has gone', async () => {
      const { path, finish } = await runUnderWay();
      const ended = readingEnds();
      const client = new AbortController();
      const events = serverEvents(await watch(path, {}, client.signal));
      expect((await events.next()).value).toMatchObject({ id: '1' });
      client.abort();
      await ended;
      await finish();
    });

    it('ends cleanly when the application stops, and holds it up for nobody', async () => {
      const { path, finish } = await runUnderWay();
      const ended = readingEnds();
      const events = serverEvents(await watch(path));
      for (const type of TYPES.slice(0, 4))
        expect((await events.next()).value).toMatchObject({ event: type });
      const closed = served!.app.close();
      await ended;
      for await (const { event } of events) expect(event).not.toBe('error');
      await finish();
      await closed;
    });
  });
});
