import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type ScriptedStep } from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';

@Injectable()
class Bank {
  @Operator({ description: 'Pays', approval: true })
  pay(): string {
    return 'paid';
  }
}

describe('sessions over HTTP', () => {
  let served: HttpAgents;
  afterEach(() => served.close());

  async function start(script: () => ScriptedStep | Promise<ScriptedStep> = () => ({ text: 'Hello.' })) {
    const provider = new ScriptedProvider(script);
    served = await startHttpAgents({ agents: [AgentBuilder.create('desk').model('m')], provider });
  }

  const say = (sessionId: string, input = 'Hi'): Promise<Response> =>
    served.post('/agents/desk/runs', { input, sessionId });

  async function call(path: string, method = 'GET'): Promise<{ status: number; body: any }> {
    const response = await fetch(served.url + path, { method });
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  }

  it('gives the transcript, whatever the session is called', async () => {
    await start();
    const sessionId = 'ann/1 ?&ü';
    await say(sessionId, 'One');
    await say(sessionId, 'Two');
    const path = `/sessions/${encodeURIComponent(sessionId)}`;
    expect((await call(path)).body).toEqual({
      sessionId,
      version: 2,
      messages: ['One', 'Hello.', 'Two', 'Hello.'].map((content, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        content,
      })),
    });
    expect((await call(`${path}?limit=2`)).body.messages).toMatchObject([
      { content: 'Two' },
      { content: 'Hello.' },
    ]);
  });

  it('lists sessions, the latest used first', async () => {
    await start();
    for (const sessionId of ['a', 'b', 'a']) await say(sessionId);
    const { sessions } = (await call('/sessions')).body;
    expect(sessions).toMatchObject([
      { sessionId: 'a', messageCount: 4, updatedAt: expect.any(Number) },
      { sessionId: 'b', messageCount: 2 },
    ]);
    expect((await call('/sessions?limit=1')).body.sessions).toHaveLength(1);
  });

  it('deletes a session; one that is not there too', async () => {
    await start();
    await say('a');
    expect((await call('/sessions/a', 'DELETE')).status).toBe(204);
    expect(await call('/sessions/a')).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no session "a".' },
    });
    expect((await call('/sessions/a', 'DELETE')).status).toBe(204);
  });

  it('keeps a session whose run is under way', async () => {
    const asked = deferred();
    const answer = deferred<ScriptedStep>();
    await start(() => {
      asked.resolve();
      return answer.promise;
    });
    const running = say('a');
    await asked.promise;
    expect(await call('/sessions/a', 'DELETE')).toMatchObject({
      status: 409,
      body: { code: 'session_busy' },
    });
    answer.resolve({ text: 'Kept.' });
    expect((await running).status).toBe(200);
    expect((await call('/sessions/a', 'DELETE')).status).toBe(204);
  });

  it('keeps a session to which a run that waits comes back', async () => {
    served = await startHttpAgents({
      agents: [AgentBuilder.create('desk').model('m').tools('all')],
      provider: new ScriptedProvider([calls(['pay', {}, 'p']), calls(['pay', {}, 'q'])]),
      providers: [Bank],
      options: { durability: 'run', caller: { serialize: () => ({}), restore: () => ({}) } },
    });
    const { runId } = (await (await say('a')).json()) as { runId: string };
    await say('b');
    expect(await call('/sessions/a', 'DELETE')).toMatchObject({
      status: 409,
      body: {
        code: 'session_busy',
        runId,
        detail:
          `Session "a" cannot be deleted: its run ${runId} is suspended. ` +
          `Let it end, or end it with POST /runs/${runId}/cancel.`,
      },
    });
    expect((await served.post(`/runs/${runId}/cancel`, {})).status).toBe(202);
    expect((await call('/sessions/a', 'DELETE')).status).toBe(204);
  });

  it.each(['/sessions?limit=0', '/sessions?limit=201', '/sessions/a?limit=0', '/sessions/a?limt=1'])(
    'refuses %s',
    async (path) => {
      await start();
      expect(await call(path)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/limi?t/) },
      });
    },
  );
});
