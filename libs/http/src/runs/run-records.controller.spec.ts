import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider, type ScriptedStep } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { AgentHttpModule } from '../agent-http.module.js';

@Injectable()
class Bank {
  readonly paid: number[] = [];

  @Operator({ description: 'Pays', input: z.object({ amount: z.number() }), approval: true })
  pay({ amount }: { amount: number }): string {
    this.paid.push(amount);
    return `paid ${amount}`;
  }
}

describe('the records of runs', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  async function serve(script: (asked: number) => ScriptedStep | Promise<ScriptedStep>, durable = true) {
    const provider = new ScriptedProvider((_, asked) => script(asked));
    const agents = [AgentBuilder.create('bank').model('m').tool('pay')];
    const caller = { serialize: () => ({}), restore: () => ({}) };
    const root = AgentModule.forRoot({
      agents,
      llm: { provider },
      caller,
      durability: durable ? 'run' : 'off',
    });
    const module = await Test.createTestingModule({
      imports: [root, AgentHttpModule],
      providers: [Bank],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    close = () => app.close();
    const origin = await app.getUrl();
    const call = async (path: string, body?: object): Promise<{ status: number; body: any }> => {
      const init = body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
      const response = await fetch(`${origin}${path}`, init);
      return { status: response.status, body: await response.json() };
    };
    return { call, bank: app.get(Bank) };
  }

  const paying = (asked: number): ScriptedStep =>
    asked === 1 ? { toolCalls: [{ name: 'pay', arguments: { amount: 5 }, id: 'p' }] } : { text: 'Paid.' };

  it('a run that waits is 202, tells what for, and goes on after the approval', async () => {
    const { call, bank } = await serve(paying);
    const started = await call('/agents/bank/runs', { input: 'Pay five' });
    expect(started).toMatchObject({ status: 202, body: { exitReason: 'suspended' } });
    const { runId } = started.body;
    const waiting = await call(`/runs/${runId}`);
    expect(waiting.body).toMatchObject({
      status: 'suspended',
      pendingApprovals: [{ toolCallId: 'p', arguments: { amount: 5 } }],
    });
    const approval = { decision: 'approve', arguments: { amount: 4 } };
    expect((await call(`/runs/${runId}/approvals/p`, approval)).status).toBe(202);
    await vi.waitFor(async () => expect((await call(`/runs/${runId}`)).body.status).toBe('completed'));
    expect(bank.paid).toEqual([4]);
    expect((await call(`/runs/${runId}/approvals/p`, approval)).status).toBe(409);
    expect((await call('/runs?limit=1')).body.runs).toMatchObject([{ runId, status: 'completed' }]);
  });

  it.each([
    ['p', {}, 400, /decision is missing; it must be "approve" or "reject"/],
    ['p', { decision: 'maybe' }, 400, /decision is "maybe"/],
    ['p', { decision: 'approve', arguments: 5 }, 400, /arguments is 5/],
    ['p', { decision: 'reject', arguments: {} }, 400, /arguments go with an approval only/],
    ['p', { decision: 'reject', reason: 5 }, 400, /reason is 5/],
    ['p', { decison: 'approve' }, 400, /unknown field "decison"\. Did you mean "decision"\?/],
    ['p', { decision: 'approve', argumentsHash: 'f' }, 409, /other arguments/],
    ['x', { decision: 'approve' }, 404, /Nobody asked/],
  ])('a decision about %s with %j is refused with %i', async (callId, body, status, detail) => {
    const { call, bank } = await serve(paying);
    const { runId } = (await call('/agents/bank/runs', { input: 'Pay five' })).body;
    const answer = await call(`/runs/${runId}/approvals/${callId}`, body);
    expect(answer).toMatchObject({ status, body: { status } });
    expect(answer.body.detail).toMatch(detail);
    expect(bank.paid).toEqual([]);
  });

  it('a run under way can be cancelled', async () => {
    const asked = deferred();
    const { call } = await serve(() => {
      asked.resolve();
      return new Promise(() => {});
    }, false);
    const running = call('/agents/bank/runs', { input: 'Pay' });
    await asked.promise;
    const [{ runId }] = (await call('/runs')).body.runs;
    expect(await call(`/runs/${runId}/cancel`, {})).toEqual({
      status: 202,
      body: { runId, cancelled: true },
    });
    expect((await running).body).toMatchObject({ code: 'aborted', runId });
    expect((await call(`/runs/${runId}`)).body).toMatchObject({ status: 'aborted', pendingApprovals: [] });
    expect((await call(`/runs/${runId}/cancel`, {})).body.cancelled).toBe(false);
  });

  it('what is not there is 404, a bad limit 400, and an approval without durable runs 409', async () => {
    const { call } = await serve(() => ({ text: 'hi' }), false);
    expect((await call('/runs/nothing')).status).toBe(404);
    expect((await call('/runs/nothing/cancel', {})).status).toBe(404);
    expect((await call('/runs?limit=0')).body.detail).toContain('from 1 to 200');
    expect((await call('/runs/r/approvals/c', { decision: 'approve' })).status).toBe(409);
  });
});
