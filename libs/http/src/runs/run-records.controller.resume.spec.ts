import { Injectable } from '@nestjs/common';
import { Operator } from '@nestor/agent';
import {
  AgentBuilder,
  InMemoryDurableRunStore,
  ScriptedProvider,
  type NewRun,
  type RecoveredRun,
  type ScriptedStep,
} from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { calls, deferred } from '../../../../test/support/scripted-agent.js';

@Injectable()
class Bank {
  @Operator({ description: 'Pays', approval: true })
  pay(): string {
    return 'paid';
  }

  @Operator({ description: 'Looks up' })
  balance(): string {
    return '7';
  }
}

/** Runs are only taken over when somebody asks for it. */
class UnwatchedRuns extends InMemoryDurableRunStore {
  override claimNext(): RecoveredRun | undefined {
    return undefined;
  }
}

const newRun = (runId: string): NewRun => ({ runId, agentId: 'bank', sessionId: undefined, input: [] });

describe('records of runs', () => {
  let served: HttpAgents;
  let store: UnwatchedRuns;
  afterEach(() => served.close());

  async function start(script: (asked: number) => ScriptedStep | Promise<ScriptedStep>, durable = true) {
    store = new UnwatchedRuns();
    served = await startHttpAgents({
      agents: [AgentBuilder.create('bank').model('m').tools('all'), AgentBuilder.create('chat').model('m')],
      provider: new ScriptedProvider((_, asked) => script(asked)),
      providers: [Bank],
      options: durable
        ? {
            durability: 'run',
            runStore: store,
            caller: { serialize: () => ({ user: 'secret' }), restore: String },
          }
        : {},
    });
  }

  async function call(path: string, body?: object): Promise<{ status: number; body: any }> {
    const response = await (body ? served.post(path, body) : fetch(served.url + path));
    return { status: response.status, body: await response.json() };
  }

  const run = async (agent: string, more: object = {}): Promise<any> =>
    (await call(`/agents/${agent}/runs`, { input: 'Hi', ...more })).body;

  const paying = (asked: number): ScriptedStep =>
    asked === 1 ? calls(['balance', {}, 'b'], ['pay', {}, 'p']) : { text: 'Paid.' };

  describe('POST /runs/:id/resume', () => {
    const refused = { status: 409, body: { code: 'not_resumable' } };

    it('goes on with a run that is decided and that nobody works on', async () => {
      await start(paying);
      const { runId, pendingApprovals } = await run('bank');
      store.decide(runId, pendingApprovals[0].argumentsHash, { toolCallId: 'p', decision: 'approve' });
      expect(await call(`/runs/${runId}/resume`, {})).toEqual({
        status: 202,
        body: { runId, resumed: true },
      });
      await vi.waitFor(async () => expect((await call(`/runs/${runId}`)).body.status).toBe('completed'));
    });

    it('says what a run waits for', async () => {
      await start(paying);
      const { runId } = await run('bank');
      const answer = await call(`/runs/${runId}/resume`, {});
      expect(answer).toMatchObject({ ...refused, body: { runId } });
      expect(answer.body.detail).toMatch(/waits for a decision about pay \(p\)\. Send it to POST \/runs/);
    });

    it('leaves a run alone that goes on here, elsewhere, or no more', async () => {
      const asked = deferred();
      const answer = deferred<ScriptedStep>();
      await start(() => {
        asked.resolve();
        return answer.promise;
      });
      const running = run('chat');
      await asked.promise;
      const [{ runId }] = (await call('/runs')).body.runs;
      expect(await call(`/runs/${runId}/resume`, {})).toEqual({
        status: 202,
        body: { runId, resumed: false },
      });
      answer.resolve({ text: 'Done.' });
      await running;
      expect((await call(`/runs/${runId}/resume`, {})).body.detail).toContain('it has ended (completed)');
      store.open(newRun('other'));
      const elsewhere = await call('/runs/other/resume', {});
      expect(elsewhere).toMatchObject(refused);
      expect(elsewhere.body.detail).toContain('another process works on it');
    });

    it('leaves a run alone whose agent is not here', async () => {
      await start(() => ({ text: 'Hello.' }));
      store.enqueue({ ...newRun('lost'), agentId: 'gone' });
      const answer = await call('/runs/lost/resume', {});
      expect(answer).toMatchObject(refused);
      expect(answer.body.detail).toContain('there is no agent "gone" here');
      expect(store.find('lost')).toMatchObject({ status: 'queued' });
    });

    it('is 404 for an unknown run, 409 where runs are not durable', async () => {
      await start(() => ({ text: 'Hello.' }), false);
      expect((await call('/runs/nothing/resume', {})).status).toBe(404);
      const { runId } = await run('chat');
      const answer = await call(`/runs/${runId}/resume`, {});
      expect(answer).toMatchObject(refused);
      expect(answer.body.detail).toContain("durability: 'run'");
    });
  });

  describe('GET /runs', () => {
    it('gives pages, and the runs of an agent, a session or a status', async () => {
      await start(() => ({ text: 'Hello.' }));
      const one = await run('chat', { sessionId: 's' });
      const two = await run('bank', { sessionId: 's' });
      await run('chat');
      store.open(newRun('busy'));
      const ids = async (query: string): Promise<string[]> =>
        (await call(`/runs${query}`)).body.runs.map(({ runId }: { runId: string }) => runId);
      expect(await ids('?agent=bank&status=completed')).toEqual([two.runId]);
      expect(new Set(await ids('?session=s'))).toEqual(new Set([one.runId, two.runId]));
      expect(await ids('?status=running')).toEqual(['busy']);

      const all = await ids('');
      const first = (await call('/runs?limit=3')).body;
      expect(first.next).toBe(all[2]);
      const second = (await call(`/runs?limit=3&cursor=${first.next}`)).body;
      expect([...first.runs, ...second.runs].map(({ runId }) => runId)).toEqual(all);
      expect('next' in second).toBe(false);
    });

    it.each([
      ['?limit=0', /limit is "0"; it must be a whole number from 1 to 200/],
      ['?limit=201', /limit is "201"/],
      ['?status=done', /status is "done"; it must be one of queued, running, suspended, /],
      ['?agentt=a', /There is no parameter "agentt"\. Did you mean "agent"\?/],
      ['?agent=a&agent=b', /agent is there more than once/],
      ['?cursor=gone', /cursor is "gone"; it must be the next of the page before/],
    ])('refuses %s', async (query, detail) => {
      await start(() => ({ text: 'Hello.' }));
      const answer = await call(`/runs${query}`);
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
    });
  });

  it('GET /runs/:id tells what a run did, and nothing of its caller', async () => {
    await start(paying);
    const { runId } = await run('bank');
    const waiting = await call(`/runs/${runId}`);
    expect(waiting.body).toMatchObject({
      runId,
      agentId: 'bank',
      status: 'suspended',
      pendingApprovals: [{ toolCallId: 'p' }],
      steps: [
        { kind: 'answer', turn: 1, finishReason: 'tool_calls' },
        { kind: 'tool', turn: 1, tool: 'balance', toolCallId: 'b', status: 'done', text: '7' },
        { kind: 'tool', turn: 1, tool: 'pay', toolCallId: 'p', status: 'waiting' },
      ],
    });
    expect(JSON.stringify(waiting.body)).not.toMatch(/secret|idempotencyKey|fence|lease/);
  });
});
