import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentBuilder, ScriptedProvider, InMemoryRunStore, type RunHistory } from '@nestor/core';
import { IsInt, Min } from 'class-validator';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { AgentModule } from '../agent.module.js';
import { AgentListener } from '../listeners/agent-listener.decorator.js';
import { Operator } from '../operators/operator.decorator.js';
import { AgentApprovalService } from './agent-approval.service.js';
import { RunStores } from '../storage/run-stores.js';
import { AgentLoopService } from './agent-loop.service.js';
import type { ApprovalRequest } from './approvals.options.js';

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

class SendInput {
  @IsInt()
  @Min(1)
  count!: number;
}

@Injectable()
class Post {
  readonly sent: number[] = [];

  @Operator({ description: 'Sends letters', approval: true })
  send(input: SendInput): string {
    this.sent.push(input.count);
    return `sent ${input.count}`;
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

  async function start(
    extra: object = {},
    more: readonly { name: string; arguments: object; id: string }[] = [],
  ) {
    const model = new ScriptedProvider(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'done' }
        : { toolCalls: [{ name: 'pay', arguments: { amount: 5 }, id: 'p' }, ...more] },
    );
    const agent = AgentBuilder.create('bank').model('m').tool('pay').tool('send');
    const options = {
      agents: [agent],
      llm: { provider: model },
      caller,
      durability: 'run',
      ...extra,
    } as const;
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot(options)],
      providers: [Bank, Post, Exits],
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
      history: async (): Promise<RunHistory | undefined> => app.get(RunStores).durable?.history(output.runId),
      bank: app.get(Bank),
      post: app.get(Post),
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
    const { output, approvals, bank } = await start({ durability: 'off' });
    expect(output.toolResults['p']).toMatchObject({ error: { code: 'not_approved' } });
    expect(bank.paid).toEqual([]);
    await expect(approvals.pending(output.runId)).rejects.toThrow(/durability: 'run'/);
  });

  it('waits for the last of several decisions', async () => {
    const { output, approvals, bank, exits } = await start({}, [
      { name: 'pay', arguments: { amount: 6 }, id: 'q' },
    ]);
    await approvals.decide(output.runId, 'q', { decision: 'approve' });
    expect(await approvals.pending(output.runId)).toMatchObject([{ toolCallId: 'p' }]);
    expect(bank.paid).toEqual([]);
    await approvals.decide(output.runId, 'p', { decision: 'approve' });
    expect(await exits.ended.promise).toBe('stop');
    expect(bank.paid).toEqual([5, 6]);
  });

  it.each([
    ['p', { amount: 'much' }, /"pay": amount: /],
    ['p', 5, /must be a JSON object/],
    ['p', null, /must be an object, not null/],
    ['s', { count: 0 }, /"send": count: /],
  ])('takes no approval of %s with the arguments %j; another may follow', async (id, edited, problems) => {
    const { output, approvals, post } = await start({}, [{ name: 'send', arguments: { count: 1 }, id: 's' }]);
    const edit = approvals.decide(output.runId, id, { decision: 'approve', arguments: edited });
    await expect(edit).rejects.toMatchObject({
      code: 'approval_invalid',
      message: expect.stringMatching(problems),
    });
    expect(await approvals.pending(output.runId)).toHaveLength(2);
    await approvals.decide(output.runId, id, { decision: 'approve' });
    expect(post.sent).toEqual([]);
  });

  it('keeps who decided, as the application serialises a caller', async () => {
    const { output, approvals, history } = await start({}, [
      { name: 'pay', arguments: { amount: 6 }, id: 'q' },
    ]);
    const decider = { user: { name: 'ann' }, headers: { secret: 1 } };
    await approvals.decide(output.runId, 'p', { decision: 'approve' }, { caller: decider });
    expect((await history())?.calls.get('p')?.approvals[0]?.decision).toEqual({
      toolCallId: 'p',
      decision: 'approve',
      decidedBy: { user: { name: 'ann' } },
    });
  });

  it('is decided about only by those the application lets', async () => {
    const asked: (readonly [unknown, ApprovalRequest])[] = [];
    const authorize = async (decider: unknown, request: ApprovalRequest): Promise<boolean> => {
      asked.push([decider, request]);
      // As an untyped policy might: only true is a yes.
      return (decider as { user?: { role?: unknown } } | undefined)?.user?.role as boolean;
    };
    const { output, approvals, exits } = await start({ approvals: { authorize } });
    const { runId, pendingApprovals } = output;
    for (const options of [undefined, { caller: {} }, { caller: { user: { role: 'admin' } } }]) {
      const deciding = approvals.decide(runId, 'p', { decision: 'approve' }, options);
      await expect(deciding).rejects.toMatchObject({ code: 'approval_forbidden' });
    }
    expect(await approvals.pending(runId)).toEqual(pendingApprovals);
    await approvals.decide(runId, 'p', { decision: 'approve' }, { caller: { user: { role: true } } });
    expect(await exits.ended.promise).toBe('stop');
    expect(asked.at(-1)).toEqual([
      { user: { role: true } },
      {
        runId,
        agentId: 'bank',
        sessionId: undefined,
        toolCallId: 'p',
        toolName: 'pay',
        arguments: { amount: 5 },
        reason: 'approval',
        caller: { user: { role: 'teller' } },
      },
    ]);
  });

  it('needs a store that can wait', async () => {
    await expect(start({ durability: 'run', runStore: new InMemoryRunStore() })).rejects.toThrow(
      /DurableRunStore/,
    );
  });
});
