import { Injectable } from '@nestjs/common';
import { ActiveRuns, Operator } from '@nestor/agent';
import {
  AgentBuilder,
  AgentException,
  LlmException,
  ScriptedProvider,
  type ScriptedStep,
} from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';

@Injectable()
class Desk {
  @Operator({ description: 'Open a ticket' })
  openTicket(): unknown {
    return { ticket: 'T-1' };
  }

  @Operator({ description: 'Not at all' })
  stopAll(): unknown {
    throw new AgentException('The desk is on fire.', { code: 'fire' });
  }
}

type Define = (builder: AgentBuilder) => AgentBuilder;
type Failure = [name: string, status: number, code: string, script: ScriptedStep[], define: Define];

const same: Define = (builder) => builder;
const USAGE = {
  promptTokens: 90,
  completionTokens: 20,
  totalTokens: 110,
  cachedTokens: 0,
  reasoningTokens: 0,
};
const closing: (() => unknown)[] = [];

async function serve(
  script: readonly ScriptedStep[],
  define: Define = same,
): Promise<HttpAgents & { readonly provider: ScriptedProvider }> {
  const provider = new ScriptedProvider(script);
  const agents = [define(AgentBuilder.create('desk').model('m').tools('all'))];
  const served = await startHttpAgents({ agents, provider, providers: [Desk] });
  closing.push(() => served.close());
  return { ...served, provider };
}

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('POST /agents/:name/runs answers', () => {
  async function problemOf(
    served: HttpAgents,
    body: unknown = { input: 'Hi' },
    name = 'desk',
  ): Promise<unknown> {
    const response = await served.post(`/agents/${name}/runs`, body);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const problem = (await response.json()) as { status: number };
    expect(problem.status).toBe(response.status);
    return problem;
  }
  const RUN_ID: unknown = expect.stringMatching(/^[\da-f-]{36}$/);

  it('an unknown agent: 404 with the known names, whatever the body', async () => {
    const served = await serve([]);
    expect(await problemOf(served, [], 'desc')).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'unknown_agent',
      detail: 'There is no agent "desc". Known agents: desk. Did you mean "desk"?',
    });
    expect(await problemOf(served, {}, '__proto__')).toMatchObject({ status: 404, code: 'unknown_agent' });
  });

  it('a bad body: 400 naming the field, and no run', async () => {
    const served = await serve([]);
    expect(await problemOf(served, { input: 7 })).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'bad_request',
      detail:
        'input is 7; it must be a text, or a list of messages such as {"role": "user", "content": "…"}.',
    });
    expect(served.provider.requests).toEqual([]);
  });

  it('a message that does not fit: 400 with the reason', async () => {
    const served = await serve([]);
    expect(await problemOf(served, { input: [{ role: 'robot', content: 'beep' }] })).toMatchObject({
      status: 400,
      code: 'bad_request',
      detail: expect.stringContaining('the role "robot"'),
    });
  });

  it('a form, which any page on the web may send: 400, and no run', async () => {
    const served = await serve([]);
    const response = await served.post('/agents/desk/runs', 'input=Hello', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('application/json') });
    expect(served.provider.requests).toEqual([]);
  });

  it.each<Failure>([
    ['turns used up', 422, 'max_turns', [calls(['openTicket'])], (b) => b.maxTurns(1)],
    [
      'tokens used up',
      422,
      'budget',
      [{ ...calls(['openTicket']), usage: USAGE }],
      (b) => b.maxTotalTokens(100),
    ],
    [
      'a loop',
      422,
      'loop_detected',
      [1, 2, 3, 4].map(() => calls(['openTicket'])),
      (b) => b.repeatedCallLimit(1),
    ],
    [
      'an answer that does not fit its schema',
      502,
      'invalid_response',
      [{ text: 'no JSON' }, { text: 'still none' }],
      (b) => b.responseFormat({ type: 'object', properties: {} }),
    ],
    [
      'a provider that refuses',
      502,
      'llm_rate_limit',
      [{ error: new LlmException('Slow down.', { kind: 'rate_limit' }) }],
      same,
    ],
    [
      'a provider that is too slow',
      502,
      'timeout:idle',
      [{ error: new LlmException('No bytes for 1 s.', { kind: 'timeout', timeout: 'idle' }) }],
      same,
    ],
    ['a deadline', 504, 'deadline', [{ delayMs: 60_000 }], (b) => b.deadline(1)],
  ])('%s: %i %s, with the run’s id', async (_, status, code, script, define) => {
    const served = await serve(script, define);
    expect(await problemOf(served)).toEqual({
      type: 'about:blank',
      title: expect.stringMatching(/^[A-Z]/),
      status,
      code,
      detail: expect.stringMatching(/\.$/),
      runId: RUN_ID,
    });
  });

  it.each([
    ['a tool that stops the run', [calls(['stopAll'])], 'fire'],
    ['a provider with a bug', [{ error: new TypeError('secret.path is undefined') }], 'error'],
  ])('%s: 500 that tells nothing of the inside', async (_, script, code) => {
    const served = await serve(script);
    expect(await problemOf(served)).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      code,
      detail: "The run failed; the server's log says why.",
      runId: RUN_ID,
    });
  });

  it('a run asked for while the application stops: 503', async () => {
    const served = await serve([]);
    await served.app.get(ActiveRuns).close(0);
    expect(await problemOf(served)).toMatchObject({ status: 503, code: 'shutting_down' });
  });

  it('a durable run that is left to other processes: 503 that says where to follow it', async () => {
    const asked = deferred();
    const provider = new ScriptedProvider(({ signal }) => {
      asked.resolve();
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    const served = await startHttpAgents({
      agents: [AgentBuilder.create('desk').model('m')],
      provider,
      options: {
        durability: 'run',
        database: { url: 'sqlite::memory:' },
        caller: { serialize: () => ({}), restore: () => ({}) },
        shutdownGraceMs: 1,
      },
    });
    closing.push(() => served.close());
    const answer = problemOf(served);
    await asked.promise;
    const closed = served.app.close();
    expect(await answer).toMatchObject({
      status: 503,
      code: 'handed_over',
      detail: expect.stringMatching(/Do not start it again, but follow it: GET \/runs\/[\da-f-]{36} has/),
      runId: RUN_ID,
    });
    await closed;
  });
});
