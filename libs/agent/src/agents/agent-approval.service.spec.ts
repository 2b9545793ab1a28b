import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentBuilder, ScriptedProvider, InMemoryRunStore } from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { AgentModule } from '../agent.module.js';
import { AgentListener } from '../listeners/agent-listener.decorator.js';
import { Operator } from '../operators/operator.decorator.js';
import { AgentApprovalService } from './agent-approval.service.js';
import { AgentLoopService } from './agent-loop.service.js';

class TellersOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<{ user?: { role?: string } }>().user?.role === 'teller';
  }
}

@Injectable()
class Bank {
  readonly paid: number[] = [];

  @Operator({ description: 'Pays', input: z.object({ amount: z.number() }), approval: true })
  @UseGuards(TellersOnly)
  pay({ amount }: { amount: number }): string {
    this.paid.push(amount);
    return `paid ${amount}`;
  }
}

@AgentListener()
class Exits {
  readonly ended = deferred<unknown>();

  onAgentLoopExited({ exitReason }: { exitReason: string }): void {
    this.ended.resolve(exitReason);
  }
}

const caller = {
  serialize: (request: unknown) => ({ user: (request as { user: unknown }).user }),
  restore: (kept: unknown) => kept,
};

describe('a tool call that waits for a person', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  async function start(extra: object = { durability: 'run' }) {
    const model = new ScriptedProvider(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'done' }
        : { toolCalls: [{ name: 'pay', arguments: { amount: 5 }, id: 'p' }] },
    );
    const agent = AgentBuilder.create('bank').model('m').tool('pay');
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ agents: [agent], llm: { provider: model }, caller, ...extra })],
      providers: [Bank, Exits],
    }).compile();
    const app = await module.init();
    close = () => app.close();
    const output = await app
      .get(AgentLoopService)
      .run('bank', 'pay five', { caller: { user: { role: 'teller' }, headers: { secret: 1 } } });
    return {
      app,
      output,
      approvals: app.get(AgentApprovalService),
      bank: app.get(Bank),
      exits: app.get(Exits),
    };
  }

  it('goes on by itself once it is approved, as the same caller under the same guards', async () => {
    const { output, approvals, bank, exits } = await start();
    expect(output).toMatchObject({ exitReason: 'suspended', pendingApprovals: [{ toolCallId: 'p' }] });
    expect(await approvals.pending(output.runId)).toEqual(output.pendingApprovals);
    await approvals.decide(output.runId, 'p', { decision: 'approve' });
    expect(await exits.ended.promise).toBe('stop');
    expect(bank.paid).toEqual([5]);
    expect(await approvals.pending(output.runId)).toEqual([]);
  });

  it('is not called when it is rejected', async () => {
    const { output, approvals, bank, exits } = await start();
    await approvals.decide(output.runId, 'p', { decision: 'reject', reason: 'no' });
    await exits.ended.promise;
    expect(bank.paid).toEqual([]);
  });

  it.each([
    ['p', { argumentsHash: 'other' }, 'approval_changed'],
    ['x', {}, 'approval_unknown'],
  ])('takes no decision about %s with %j', async (toolCallId, extra, code) => {
    const { output, approvals } = await start();
    const deciding = approvals.decide(output.runId, toolCallId, { decision: 'approve', ...extra });
    await expect(deciding).rejects.toMatchObject({ code });
  });

  it('is not called at all where runs are not durable', async () => {
    const { output, approvals, bank } = await start({});
    expect(output.toolResults['p']).toMatchObject({ error: { code: 'not_approved' } });
    expect(bank.paid).toEqual([]);
    await expect(approvals.pending(output.runId)).rejects.toThrow(/durability: 'run'/);
  });

  it('needs a store that can wait', async () => {
    await expect(start({ durability: 'run', runStore: new InMemoryRunStore() })).rejects.toThrow(
      /DurableRunStore/,
    );
  });
});
