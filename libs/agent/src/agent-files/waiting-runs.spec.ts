import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ScriptedProvider } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { AgentModule } from '../agent.module.js';
import { AgentApprovalService } from '../agents/agent-approval.service.js';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { AgentRegistry } from '../agents/agent.registry.js';
import { Operator } from '../operators/operator.decorator.js';
import { RunStores } from '../storage/run-stores.js';

@Injectable()
class Bank {
  @Operator({ description: 'Pays', approval: true })
  pay(): string {
    return 'paid';
  }
}

const BANK = `agent bank { model = "m" system_prompt = "First." tool pay : pay {} }`;

/** Fake intervals go on meanwhile. */
const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });

describe('a run that waits while its file changes', () => {
  const folder = new TemporaryFolder();
  let app: INestApplicationContext | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
    vi.useRealTimers();
  });

  /** Starts a run that waits for a person. */
  async function start() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    for (const level of ['warn', 'error', 'log'] as const)
      vi.spyOn(Logger.prototype, level).mockReturnValue(undefined);
    await folder.write('bank.agent', BANK);
    const provider = new ScriptedProvider(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: String(messages[0]?.content) }
        : { toolCalls: [{ name: 'pay', arguments: {}, id: 'p' }] },
    );
    const agents = [join(folder.path, '*.agent')];
    const root = AgentModule.forRoot({ agents, llm: { provider }, durability: 'run', watchAgents: true });
    const module = await Test.createTestingModule({ imports: [root], providers: [Bank] }).compile();
    app = await module.init();
    const runId = await module.get(AgentLoopService).start('bank', 'Pay');
    const store = module.get(RunStores).durable;
    const status = async (): Promise<string | undefined> => (await store?.find(runId))?.status;
    await eventually(async () => expect(await status()).toBe('suspended'));
    return {
      status,
      agents: module.get(AgentRegistry),
      approve: (edited?: object) =>
        module.get(AgentApprovalService).decide(runId, 'p', {
          decision: 'approve',
          ...(edited && { arguments: edited }),
        }),
      answer: async () => {
        await eventually(async () => expect(await status()).toBe('completed'));
        return (await store?.history(runId))?.answers.at(-1)?.response.message.content;
      },
    };
  }

  it('goes on with the new definition', async () => {
    const { agents, approve, answer } = await start();
    await folder.write('bank.agent', BANK.replace('First', 'Second'));
    await eventually(() => expect(agents.get('bank').def.systemPrompt).toBe('Second.'));
    await approve();
    expect(await answer()).toBe('Second.');
  });

  it('waits on without its agent, and goes on when that is back', async () => {
    const { agents, approve, answer, status } = await start();
    await rm(join(folder.path, 'bank.agent'));
    await eventually(() => expect(agents.has('bank')).toBe(false));
    // Nobody could say whether they fit, and a decision stands.
    await expect(approve({ amount: 'x' })).rejects.toMatchObject({ code: 'unknown_agent' });
    await approve();
    // Nobody finds a run without its agent.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await status()).toBe('suspended');
    await folder.write('bank.agent', BANK);
    await eventually(() => expect(agents.has('bank')).toBe(true));
    expect(await answer()).toBe('First.');
  });
});
