import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  AgentApprovalService,
  AgentListener,
  AgentLoopService,
  AgentModule,
  Operator,
  RunStores,
} from '@nestor/agent';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { deferred } from '../support/scripted-agent.js';

const paid: number[] = [];

@Injectable()
class Bank {
  @Operator({ description: 'Pays', input: z.object({ amount: z.number() }), approval: true })
  pay({ amount }: { amount: number }): string {
    paid.push(amount);
    return `paid ${amount}`;
  }

  @Operator({ description: 'Lends', approval: true, approvalTimeout: 1_000 })
  lend(): never {
    throw new Error('Nobody approved this.');
  }
}

@AgentListener()
class Exits {
  readonly ended = deferred<unknown>();

  onAgentLoopExited({ exitReason }: { exitReason: string }): void {
    this.ended.resolve(exitReason);
  }
}

describe('durable runs in a database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nestor-durable-'));
    paid.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function start(
    options: { readonly slow?: boolean; readonly strict?: boolean; readonly tool?: string } = {},
  ) {
    const provider = new ScriptedProvider(({ messages }) =>
      options.slow
        ? { text: 'never', delayMs: 600_000 }
        : messages.at(-1)?.content === 'hello'
          ? { text: 'hello again' }
          : messages.at(-1)?.role === 'tool'
            ? { text: `done: ${messages.at(-1)?.content}` }
            : { toolCalls: [{ name: options.tool ?? 'pay', arguments: { amount: 5 }, id: 'p' }] },
    );
    const agents = [AgentBuilder.create('bank').model('m').tool('pay').tool('lend')];
    const database = { url: `sqlite:${join(folder, 'agent.db')}` };
    const root = AgentModule.forRoot({
      agents,
      llm: { provider },
      database,
      durability: 'run',
      shutdownGraceMs: 0,
      ...(options.strict && { eventJournal: { enabled: true, mode: 'strict' } }),
    });
    const module = await Test.createTestingModule({ imports: [root], providers: [Bank, Exits] }).compile();
    return module.init();
  }

  it.each([false, true])(
    'a tool call waits over a restart, and the run goes on (strict journal: %s)',
    async (strict) => {
      const first = await start({ strict });
      const { runId, exitReason } = await first
        .get(AgentLoopService)
        .run('bank', 'pay five', { sessionId: 'ann' });
      expect(exitReason).toBe('suspended');
      await first.close();

      const second = await start({ strict });
      const approvals = second.get(AgentApprovalService);
      expect(await approvals.pending(runId)).toMatchObject([{ toolCallId: 'p', arguments: { amount: 5 } }]);
      await approvals.decide(runId, 'p', { decision: 'approve', arguments: { amount: 4 } });
      expect(await second.get(Exits).ended.promise).toBe('stop');
      expect(paid).toEqual([4]);
      await second.close();

      const third = await start();
      expect((await third.get(RunStores).runs.find(runId))?.status).toBe('completed');
      expect(paid).toEqual([4]);
      await third.close();
    },
  );

  it('a tool call that nobody decides about in time is rejected in whichever process there is', async () => {
    const first = await start({ tool: 'lend' });
    const { runId, pendingApprovals } = await first.get(AgentLoopService).run('bank', 'lend me five');
    expect(pendingApprovals).toMatchObject([{ toolName: 'lend', timeoutMs: 1_000 }]);
    await first.close();

    const second = await start({ tool: 'lend' });
    expect(await second.get(Exits).ended.promise).toBe('stop');
    const approvals = second.get(AgentApprovalService);
    expect(await approvals.pending(runId)).toEqual([]);
    await expect(approvals.decide(runId, 'p', { decision: 'approve' })).rejects.toMatchObject({
      code: 'approval_expired',
    });
    const result = (await second.get(RunStores).durable?.history(runId))?.calls.get('p')?.result;
    expect(result).toMatchObject({ success: false, text: expect.stringContaining('expired') });
    await second.close();
  });

  it('a run that a shutdown cuts short goes on in the next process', async () => {
    const first = await start({ slow: true });
    const running = first.get(AgentLoopService).run('bank', 'hello', { runId: 'r-1', sessionId: 'ann' });
    const ended = running.catch((error: unknown) => error);
    await vi.waitFor(async () =>
      expect((await first.get(RunStores).runs.find('r-1'))?.status).toBe('running'),
    );
    await first.close();
    expect(await ended).toMatchObject({ code: 'aborted' });

    const second = await start();
    expect(await second.get(Exits).ended.promise).toBe('stop');
    await vi.waitFor(async () =>
      expect((await second.get(RunStores).runs.find('r-1'))?.status).toBe('completed'),
    );
    await second.close();
  });
});
