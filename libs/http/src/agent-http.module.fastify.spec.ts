import type { INestApplication } from '@nestjs/common';
import { ActiveRuns } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type LlmProvider } from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import {
  allServerEvents,
  serverEvents,
  startHttpAgents,
  type HttpAgents,
} from '../../../test/support/http-agents.js';
import { stuckModel } from '../../../test/support/streaming-model.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(
  provider: LlmProvider,
  prepare?: (app: INestApplication) => unknown,
): Promise<HttpAgents> {
  const served = await startHttpAgents({
    agents: [AgentBuilder.create('desk').model('m')],
    provider,
    options: { shutdownGraceMs: 1 },
    globalFilter: true,
    platform: 'fastify',
    ...(prepare && { prepare }),
  });
  closing.push(() => served.close());
  return served;
}

/** As much of a Fastify instance as is used here. */
interface HookedServer {
  addHook(
    name: 'onRequest',
    hook: (request: unknown, reply: { header(name: string, value: string): unknown }) => Promise<void>,
  ): unknown;
}

describe('AgentHttpModule on Fastify', () => {
  it('answers a run as JSON', async () => {
    const { post } = await serve(new ScriptedProvider([{ text: 'Hello.' }]));
    const response = await post('/agents/desk/runs', { input: 'Hi' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ content: 'Hello.', exitReason: 'stop' });
  });

  it('streams a run as events', async () => {
    const { stream } = await serve(new ScriptedProvider([{ tokens: ['Hel', 'lo.'] }]));
    const events = await allServerEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    expect(events.map(({ id, event }) => [id, event])).toEqual([
      ['1', 'token'],
      ['2', 'token'],
      ['3', 'done'],
    ]);
  });

  it('keeps the headers that the application sets, also on a stream', async () => {
    const { stream, post } = await serve(new ScriptedProvider([{ text: 'A' }, { text: 'B' }]), (app) => {
      app.enableCors({ origin: 'https://app.test' });
      const fastify: HookedServer = app.getHttpAdapter().getInstance();
      fastify.addHook('onRequest', async (_request, reply) => void reply.header('x-own', 'kept'));
    });
    for (const ask of [post, stream]) {
      const response = await ask('/agents/desk/runs', { input: 'Hi' });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': 'https://app.test',
        'x-own': 'kept',
      });
      await response.text();
    }
  });

  it.each([
    ['an unknown agent', '/agents/nobody/runs', { input: 'Hi' }, 404, 'unknown_agent'],
    ['a bad body', '/agents/desk/runs', {}, 400, 'bad_request'],
    ['a body that is no JSON', '/agents/desk/runs', '{"input":', 400, 'bad_request'],
    ['a body above the limit', '/agents/desk/runs', { input: 'x'.repeat(2 ** 20) }, 413, 'content_too_large'],
    ['a route that does not exist', '/nowhere', {}, 404, 'not_found'],
    ['a script without steps', '/agents/desk/runs', { input: 'Hi' }, 500, 'script_exhausted'],
  ])('answers %s with a problem', async (_, path, body, status, code) => {
    const { post } = await serve(new ScriptedProvider([]));
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toMatchObject({ status, code });
  });

  it('refuses a form', async () => {
    const { post } = await serve(new ScriptedProvider([]));
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await post('/agents/desk/runs', 'input=Hi', { headers });
    expect([400, 415]).toContain(response.status);
  });

  it('serves the catalog', async () => {
    const { url } = await serve(new ScriptedProvider([]));
    for (const path of ['/health', '/agents', '/operators']) {
      expect((await fetch(url + path)).status).toBe(200);
    }
  });

  it('aborts the run of a client that goes away from its stream', async () => {
    const model = stuckModel();
    const { stream, app } = await serve(model.provider);
    const client = new AbortController();
    const response = await stream('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal });
    expect((await serverEvents(response).next()).value).toMatchObject({ event: 'token' });
    client.abort();
    await model.ended;
    await app.get(ActiveRuns).close(60_000);
  });

  it('ends an open stream with an error event when the application stops', async () => {
    const model = stuckModel();
    const { stream, app } = await serve(model.provider);
    const events = serverEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    await events.next();
    const closed = app.close();
    expect((await events.next()).value).toMatchObject({ event: 'error', data: { code: 'aborted' } });
    expect(await events.next()).toMatchObject({ done: true });
    await closed;
  });
});
