import { APP_GUARD } from '@nestjs/core';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ActiveRuns, Operator } from '@nestor/agent';
import {
  AgentBuilder,
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
}

const USAGE = {
  promptTokens: 90,
  completionTokens: 20,
  totalTokens: 110,
  cachedTokens: 0,
  reasoningTokens: 0,
};
const closing: (() => unknown)[] = [];

async function serve(
  script: readonly ScriptedStep[] | Script,
  options: Partial<Parameters<typeof startHttpAgents>[0]> = {},
): Promise<HttpAgents & { readonly provider: ScriptedProvider }> {
  const provider = new ScriptedProvider(script);
  const agents = [AgentBuilder.create('desk').model('m').tools('all')];
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

describe('a client that goes away', () => {
  it('aborts its run', async () => {
    const model = silentModel();
    const { post, app } = await serve(model.script);
    const client = new AbortController();
    const answer = post('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal }).catch(
      (error: unknown) => error,
    );
    const signal = await model.asked;
    client.abort();
    expect(await aborted(signal)).toMatchObject({ message: 'The client closed the connection.' });
    expect(await answer).toMatchObject({ name: 'AbortError' });
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
    const { post, provider, app } = await serve([{ text: 'Too late.' }], {
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
    const answer = post('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal }).catch(
      (error: unknown) => error,
    );
    await entered.promise;
    client.abort();
    expect(await answer).toMatchObject({ name: 'AbortError' });
    expect(await ended.promise).toMatchObject({ code: 'aborted' });
    expect(provider.requests).toEqual([]);
  });

  it('does not end its run if runs are durable', async () => {
    const asked = deferred();
    const answer = deferred<ScriptedStep>();
    const left = deferred();
    const { post, app, url } = await serve(
      () => {
        asked.resolve();
        return answer.promise;
      },
      {
        options: { durability: 'run', caller: { serialize: () => ({}), restore: () => ({}) } },
        prepare: (nest) =>
          nest.use((_: unknown, response: NodeJS.EventEmitter, next: () => void) => {
            response.once('close', left.resolve);
            next();
          }),
      },
    );
    const client = new AbortController();
    const gone = post('/agents/desk/runs', { input: 'Hi' }, { signal: client.signal }).catch(String);
    await asked.promise;
    client.abort();
    await gone;
    await left.promise;
    answer.resolve({ text: 'Still here.' });
    await app.get(ActiveRuns).close(60_000);
    const { runs } = (await (await fetch(`${url}/runs`)).json()) as { runs: readonly object[] };
    expect(runs).toMatchObject([{ status: 'completed', outcome: { exitReason: 'stop' } }]);
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
