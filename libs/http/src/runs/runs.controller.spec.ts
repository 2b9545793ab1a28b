import { APP_GUARD } from '@nestjs/core';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ActiveRuns, Operator } from '@nestor/agent';
import {
  AgentBuilder,
  AgentException,
  LlmException,
  ScriptedProvider,
  type AgentOutput,
  type OperatorContext,
  type Script,
  type ScriptedStep,
} from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';

@Injectable()
class Desk {
  readonly contexts: OperatorContext[] = [];

  @Operator({ description: 'Open a ticket' })
  openTicket(_input: unknown, context: OperatorContext): unknown {
    this.contexts.push(context);
    return { ticket: 'T-1' };
  }

  @Operator({ description: 'Count in big numbers' })
  bigCount(): unknown {
    return { count: 2n ** 64n };
  }

  @Operator({ description: 'Not at all' })
  stopAll(): unknown {
    throw new AgentException('The desk is on fire.', { code: 'fire' });
  }
}

const USAGE = { promptTokens: 90, completionTokens: 20, totalTokens: 110 };
const closing: (() => unknown)[] = [];

async function serve(
  script: readonly ScriptedStep[] | Script,
  define: (builder: AgentBuilder) => AgentBuilder = (builder) => builder,
  options: Partial<Parameters<typeof startHttpAgents>[0]> = {},
): Promise<HttpAgents & { readonly provider: ScriptedProvider }> {
  const provider = new ScriptedProvider(script);
  const agents = [define(AgentBuilder.create('desk').model('m').tools('all'))];
  const served = await startHttpAgents({ agents, provider, providers: [Desk], ...options });
  closing.push(() => served.close());
  return { ...served, provider };
}

/** A model that says when it is asked, and answers only when its signal aborts. */
function silentModel(): { readonly script: Script; readonly asked: Promise<AbortSignal> } {
  const asked = deferred<AbortSignal>();
  const script: Script = ({ signal }) =>
    new Promise((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      asked.resolve(signal!);
    });
  return { script, asked: asked.promise };
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener('abort', () => resolve(signal.reason));
  });

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('POST /agents/:name/runs', () => {
  it('answers with the whole output as JSON', async () => {
    const { post } = await serve([
      { ...calls(['openTicket', {}, 'c1']), usage: USAGE },
      { text: 'Ticket T-1 is open.', usage: USAGE },
    ]);
    const response = await post('/agents/desk/runs', { input: 'My screen is black' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const output = (await response.json()) as AgentOutput;
    expect(output).toMatchObject({
      content: 'Ticket T-1 is open.',
      finishReason: 'stop',
      exitReason: 'stop',
      turnsUsed: 2,
      toolResults: { c1: { ticket: 'T-1' } },
      checkpoint: { turnCount: 2 },
      usage: { totalTokens: 220 },
      pendingApprovals: [],
    });
    expect(output.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(output.runId).toMatch(/^[\da-f-]{36}$/);
  });

  it('takes a list of messages', async () => {
    const { post, provider } = await serve([{ text: 'Blue.' }]);
    const messages = [
      { role: 'user', content: 'A colour?' },
      { role: 'assistant', content: 'Red.' },
      { role: 'user', content: 'Another?' },
    ];
    expect((await post('/agents/desk/runs', { input: messages })).status).toBe(200);
    expect(provider.requests[0]!.messages).toEqual(messages);
  });

  it('gives tools the request as the caller, and the client’s context as ctx.request', async () => {
    const { post, app } = await serve([calls(['openTicket']), { text: 'Done.' }]);
    const context = { locale: 'de', request: 'mine' };
    await post(
      '/agents/desk/runs',
      { input: 'Hi', sessionId: 's1', context },
      { headers: { 'x-who': 'ann' } },
    );
    const [seen] = app.get(Desk).contexts;
    expect(seen).toMatchObject({
      sessionId: 's1',
      graphContext: { request: context },
      caller: { headers: { 'x-who': 'ann' } },
    });
    expect(Object.keys(seen!.graphContext)).toEqual(['request']);
  });

  it('keeps a session from run to run', async () => {
    const { post, provider } = await serve([{ text: 'Hello Ann.' }, { text: 'Ann.' }]);
    await post('/agents/desk/runs', { input: 'I am Ann', sessionId: 's' });
    await post('/agents/desk/runs', { input: 'Who am I?', sessionId: 's' });
    expect(provider.requests[1]!.messages.map(({ content }) => content)).toEqual([
      'I am Ann',
      'Hello Ann.',
      'Who am I?',
    ]);
  });

  it('B130: lets the second run of a session wait for the first', async () => {
    const first = deferred<ScriptedStep>();
    const asked = deferred();
    const { post, provider } = await serve((_, number) => {
      asked.resolve();
      return number === 1 ? first.promise : { text: 'second' };
    });
    const one = post('/agents/desk/runs', { input: 'A', sessionId: 's' });
    await asked.promise;
    const two = post('/agents/desk/runs', { input: 'B', sessionId: 's' });
    const other = await post('/agents/desk/runs', { input: 'C', sessionId: 'other' });
    expect([other.status, provider.requests.length]).toEqual([200, 2]);
    first.resolve({ text: 'first' });
    expect((await one).status).toBe(200);
    const output = (await (await two).json()) as AgentOutput;
    expect(output.messages.map(({ content }) => content)).toEqual(['A', 'first', 'B', 'second']);
  });

  it('answers values that JSON does not know in their JSON form', async () => {
    const { post } = await serve([calls(['bigCount', {}, 'c1']), { text: 'Many.' }]);
    const response = await post('/agents/desk/runs', { input: 'How many?' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ toolResults: { c1: { count: '18446744073709551616' } } });
  });
});

describe('what does not go well', () => {
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
      code: 'invalid_input',
      detail: expect.stringContaining('a message with role "robot"'),
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

  it.each([
    ['turns used up', 422, 'max_turns', [calls(['openTicket'])], (b: AgentBuilder) => b.maxTurns(1)],
    [
      'tokens used up',
      422,
      'budget',
      [{ ...calls(['openTicket']), usage: USAGE }],
      (b: AgentBuilder) => b.maxTotalTokens(100),
    ],
    [
      'a loop',
      422,
      'loop_detected',
      [1, 2, 3, 4].map(() => calls(['openTicket'])),
      (b: AgentBuilder) => b.repeatedCallLimit(1),
    ],
    [
      'an answer that does not fit its schema',
      502,
      'invalid_response',
      [{ text: 'no JSON' }, { text: 'still none' }],
      (b: AgentBuilder) => b.responseFormat({ type: 'object', properties: {} }),
    ],
    [
      'a provider that refuses',
      502,
      'llm_rate_limit',
      [{ error: new LlmException('Slow down.', { kind: 'rate_limit' }) }],
    ],
    [
      'a provider that is too slow',
      502,
      'timeout:idle',
      [{ error: new LlmException('No bytes for 1 s.', { kind: 'timeout', timeout: 'idle' }) }],
    ],
    ['a deadline', 504, 'deadline', [{ delayMs: 60_000 }], (b: AgentBuilder) => b.deadline(1)],
  ] as const)('%s: %i %s, with the run’s id', async (_, status, code, script, define) => {
    const served = await serve(script, define ?? ((builder) => builder));
    expect(await problemOf(served)).toEqual({
      type: 'about:blank',
      title: expect.stringMatching(/^[A-Z]/),
      status,
      code,
      detail: expect.stringMatching(/\.$|responseFormat/),
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
});

describe('a client that goes away', () => {
  it('aborts its run', async () => {
    const model = silentModel();
    const { post, app } = await serve(model.script);
    const client = new AbortController();
    const answer = expect(
      post('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal }),
    ).rejects.toThrow('aborted');
    const signal = await model.asked;
    client.abort();
    expect(await aborted(signal)).toMatchObject({ message: 'The client closed the connection.' });
    await answer;
    await app.get(ActiveRuns).close(60_000);
  });

  it('starts no run if it went while a guard was at work', async () => {
    const entered = deferred();
    const gone = deferred();
    const guard: CanActivate = {
      async canActivate(host: ExecutionContext) {
        host.switchToHttp().getResponse<NodeJS.EventEmitter>().once('close', gone.resolve);
        entered.resolve();
        await gone.promise;
        return true;
      },
    };
    const ended = deferred<unknown>();
    const { post, provider, app } = await serve([{ text: 'Too late.' }], undefined, {
      providers: [Desk, { provide: APP_GUARD, useValue: guard }],
    });
    const runs = app.get(ActiveRuns);
    const start = runs.start.bind(runs);
    runs.start = async (...args) => {
      const run = start(...args);
      run.then(ended.resolve, ended.resolve);
      return run;
    };
    const client = new AbortController();
    const answer = expect(
      post('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal }),
    ).rejects.toThrow('aborted');
    await entered.promise;
    client.abort();
    await answer;
    expect(await ended.promise).toMatchObject({ code: 'aborted' });
    expect(provider.requests).toEqual([]);
  });

  it('leaves the run of a client that stays alone', async () => {
    const signals: AbortSignal[] = [];
    const { post } = await serve(({ signal }) => {
      signals.push(signal!);
      return { text: 'Hello.' };
    });
    const response = await post('/agents/desk/runs', { input: 'Hi' }, { headers: { connection: 'close' } });
    expect(await response.json()).toMatchObject({ content: 'Hello.' });
    expect(signals.map(({ aborted: was }) => was)).toEqual([false]);
  });
});
