import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AgentHttpModule } from '../agent-http.module.js';

@Injectable()
class Bank {
  readonly paid: number[] = [];

  @Operator({ description: 'Pays', input: z.object({ amount: z.number() }), approval: true })
  pay({ amount }: { amount: number }): void {
    this.paid.push(amount);
  }

  @Operator({ description: 'Lends', approval: true, approvalTimeout: 1 })
  lend(): never {
    throw new Error('Nobody approved this.');
  }
}

interface Decider {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

describe('decisions over HTTP', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  async function waitingRun(tool: string, agentOptions: object = {}) {
    const provider = new ScriptedProvider(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'done' }
        : { toolCalls: [{ name: tool, arguments: { amount: 5 }, id: 'p' }] },
    );
    const agents = [AgentBuilder.create('bank').model('m').tools('all')];
    const caller = { serialize: () => ({}), restore: () => ({}) };
    const root = AgentModule.forRoot({
      agents,
      llm: { provider },
      caller,
      durability: 'run',
      ...agentOptions,
    });
    const module = await Test.createTestingModule({
      imports: [root, AgentHttpModule],
      providers: [Bank],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    close = () => app.close();
    const origin = await app.getUrl();
    const post = async (path: string, body: object, headers = {}): Promise<{ status: number; body: any }> => {
      const response = await fetch(`${origin}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
      return { status: response.status, body: await response.json() };
    };
    const { body } = await post('/agents/bank/runs', { input: 'go' });
    expect(body).toMatchObject({ exitReason: 'suspended' });
    const decide = (decision: object, headers?: object) =>
      post(`/runs/${body.runId}/approvals/p`, decision, headers);
    return { decide, bank: app.get(Bank) };
  }

  it('are 403 for those the application does not let; it is asked with the request', async () => {
    const authorize = (decider: unknown): boolean => (decider as Decider).headers['x-role'] === 'teller';
    const { decide, bank } = await waitingRun('pay', { approvals: { authorize } });
    const refused = await decide({ decision: 'approve' }, { 'x-role': 'guest' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'approval_forbidden' } });
    expect((await decide({ decision: 'approve' }, { 'x-role': 'teller' })).status).toBe(202);
    await vi.waitFor(() => expect(bank.paid).toEqual([5]));
  });

  it('are 400 when edited arguments do not fit, and the problems are named', async () => {
    const { decide, bank } = await waitingRun('pay');
    const refused = await decide({ decision: 'approve', arguments: { amount: 'much' } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'approval_invalid',
        detail: expect.stringMatching(/"pay": amount: .*Nothing was decided/),
      },
    });
    expect((await decide({ decision: 'approve', arguments: { amount: 4 } })).status).toBe(202);
    await vi.waitFor(() => expect(bank.paid).toEqual([4]));
  });

  it('are 409 when they come too late', async () => {
    const { decide } = await waitingRun('lend');
    const expired = await vi.waitUntil(async () => {
      const answer = await decide({ decision: 'reject', argumentsHash: 'none' });
      return answer.body.code === 'approval_changed' ? undefined : answer;
    });
    expect(expired).toMatchObject({ status: 409, body: { code: 'approval_expired' } });
  });
});
