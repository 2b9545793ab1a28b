import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  ActiveRuns,
  AgentLoopService,
  AgentModule,
  Operator,
  RunStores,
  type AttachedChunk,
} from '@nestor/agent';
import { AgentBuilder, AgentException, ScriptedProvider, type AgentStreamChunk } from '@nestor/core';
import type { TypeOrmRunStore } from '@nestor/typeorm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { describeDatabases, type TestDatabase } from '../support/agent-databases.js';
import { deferred } from '../support/scripted-agent.js';

@Injectable()
class Shop {
  static gate = deferred<void>();

  @Operator({ description: 'Counts stock', input: z.object({ item: z.string() }) })
  async stock({ item }: { item: string }): Promise<string> {
    await Shop.gate.promise;
    return `3 ${item}`;
  }

  @Operator({ description: 'Pays', input: z.object({ amount: z.number() }), approval: true })
  pay({ amount }: { amount: number }): string {
    return `paid ${amount}`;
  }
}

const STOCK = { toolCalls: [{ name: 'stock', arguments: { item: 'lamps' }, id: 's' }] };
const PAY = { toolCalls: [{ name: 'pay', arguments: { amount: 5 }, id: 'p' }] };

await describeDatabases('A started run', (server) => {
  let place: TestDatabase;
  beforeEach(async () => {
    Shop.gate = deferred();
    place = await server.create();
  });
  afterEach(() => place.drop());

  async function start(durability: 'run' | 'off' = 'run') {
    const provider = new ScriptedProvider(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return { text: `There are ${last.content}.` };
      if (last?.content === 'boom') return { error: new Error('the model is down') };
      return last?.content === 'pay' ? PAY : STOCK;
    });
    const agents = [AgentBuilder.create('shop').model('m').tool('stock').tool('pay')];
    const root = AgentModule.forRoot({
      agents,
      llm: { provider },
      database: { url: place.url },
      durability,
      shutdownGraceMs: 0,
    });
    const app = await (
      await Test.createTestingModule({ imports: [root], providers: [Shop] }).compile()
    ).init();
    return { app, agents: app.get(AgentLoopService), runs: app.get(RunStores).runs };
  }

  async function read(chunks: AsyncIterable<AttachedChunk>): Promise<[number, AgentStreamChunk][]> {
    const all: [number, AgentStreamChunk][] = [];
    for await (const { sequence, chunk } of chunks) all.push([sequence, chunk]);
    return all;
  }

  it('has an id at once, and is followed from anywhere, from any number on', async () => {
    const [one, other] = server.shared ? [await start(), await start()] : [await start(), undefined];
    const runId = await one.agents.start('shop', 'How many lamps?');
    expect(await one.runs.find(runId)).toMatchObject({ agentId: 'shop' });
    const followed = read((other ?? one).agents.attach(runId));
    Shop.gate.resolve();
    const all = await followed;
    expect(all.map(([sequence, { type }]) => [sequence, type])).toEqual([
      [1, 'tool_start'],
      [2, 'tool_end'],
      [3, 'token'],
      [4, 'done'],
    ]);
    expect(all.at(-1)?.[1]).toMatchObject({
      finalOutput: {
        content: 'There are 3 lamps.',
        exitReason: 'stop',
        runId,
        turnsUsed: 2,
        messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }, { role: 'assistant' }],
      },
    });
    expect(await read(one.agents.attach(runId, { from: 3 }))).toEqual(all.slice(2));
    await Promise.all([one.app.close(), other?.app.close()]);
  });

  it('that waits for a person ends its stream as suspended, and goes on when it is cancelled', async () => {
    const { app, agents, runs } = await start();
    const runId = await agents.start('shop', 'pay');
    const all = await read(agents.attach(runId));
    expect(all.map(([sequence, { type }]) => [sequence, type])).toEqual([[0.5, 'done']]);
    expect(all[0]?.[1]).toMatchObject({
      finalOutput: { exitReason: 'suspended', pendingApprovals: [{ toolName: 'pay' }] },
    });
    expect(await agents.cancel(runId, 'not today')).toBe(true);
    expect(await runs.find(runId)).toMatchObject({ status: 'aborted' });
    await expect(read(agents.attach(runId))).rejects.toMatchObject({
      code: 'aborted',
      message: 'The run of agent "shop" was aborted: not today.',
      runId,
    });
    await app.close();
  });

  it('ends as cancel has said, at whatever moment it comes', async () => {
    const { app, agents, runs } = await start();
    Shop.gate.resolve();
    const told: boolean[] = [];
    for (let round = 0; round < 12; round++) {
      let cancelled: Promise<boolean> | undefined;
      const runId = `round-${round}`;
      const cancel = (): void => void (cancelled ??= agents.cancel(runId));
      const listener = {
        onAgentLlmCalled: ({ turnNumber }: { turnNumber: number }) => {
          if (turnNumber === 2 && round < 10) setTimeout(cancel, round / 2);
        },
        onAgentLoopExited: cancel,
      };
      const ended = await agents.run('shop', 'go', { runId, listeners: [listener] }).catch(() => undefined);
      const answer = await cancelled;
      expect(await runs.find(runId)).toMatchObject({ status: answer ? 'aborted' : 'completed' });
      expect(ended?.content).toBe(answer ? undefined : 'There are 3 lamps.');
      told.push(answer ?? false);
    }
    expect(told.slice(10)).toEqual([false, false]);
    await app.close();
  });

  it('of a session waits for those before it, and no run of another for it', async () => {
    const { app, agents, runs } = await start();
    const session = await Promise.all(
      Array.from({ length: 12 }, (_, n) => agents.start('shop', 'go', { runId: `s${n}`, sessionId: 's' })),
    );
    const other = await agents.start('shop', 'pay', { sessionId: 'other' });
    const done = await read(agents.attach(other));
    expect(done.at(-1)?.[1]).toMatchObject({ finalOutput: { exitReason: 'suspended' } });
    Shop.gate.resolve();
    await Promise.all(session.map((runId) => read(agents.attach(runId))));
    const ends = await Promise.all(session.map((runId) => runs.find(runId)));
    expect(ends.map((run) => run?.status)).toEqual(Array.from({ length: 12 }, () => 'completed'));
    await app.close();
  });

  it('whose start is not answered may be there: the error has its id', async () => {
    const { app, agents, runs } = await start();
    vi.spyOn(runs as TypeOrmRunStore, 'enqueue').mockRejectedValue(
      new AgentException('away', { code: 'database_unavailable' }),
    );
    const failure = agents.start('shop', 'go', { runId: 'maybe' });
    await expect(failure).rejects.toMatchObject({ code: 'database_unavailable', runId: 'maybe' });
    await app.close();
  });

  it('that fails says so to whoever follows it', async () => {
    const { app, agents } = await start();
    const runId = await agents.start('shop', 'boom');
    await expect(read(agents.attach(runId))).rejects.toMatchObject({
      code: 'error',
      message: expect.stringContaining('the model is down'),
      runId,
    });
    await expect(read(agents.attach('nobody'))).rejects.toMatchObject({ code: 'unknown_run' });
    await app.close();
  });

  it('is refused before anything is kept if the agent is unknown or the id is taken', async () => {
    const { app, agents, runs } = await start();
    await expect(agents.start('shopp', 'x')).rejects.toThrow(/Did you mean "shop"/);
    await agents.start('shop', 'x', { runId: 'mine' });
    await expect(agents.start('shop', 'x', { runId: 'mine' })).rejects.toThrow(/"mine"/);
    expect(await runs.list()).toHaveLength(1);
    Shop.gate.resolve();
    await read(agents.attach('mine'));
    await app.close();
  });

  it('goes on when the client that streams it leaves', async () => {
    const { app, agents, runs } = await start();
    const stream = agents.stream('shop', 'How many lamps?');
    for await (const chunk of stream) if (chunk.type === 'tool_start') break;
    Shop.gate.resolve();
    const done = (await read(agents.attach(stream.runId))).at(-1)?.[1];
    expect(done).toMatchObject({ type: 'done', finalOutput: { content: 'There are 3 lamps.' } });
    expect(await runs.find(stream.runId)).toMatchObject({ status: 'completed' });
    await app.close();
  });

  it('without durability is a run of this process, and cannot be followed', async () => {
    const { app, agents, runs } = await start('off');
    const runId = await agents.start('shop', 'How many lamps?');
    expect(() => agents.attach(runId)).toThrow(/durability: 'run'/);
    Shop.gate.resolve();
    await vi.waitFor(async () => expect(await runs.find(runId)).toMatchObject({ status: 'completed' }));
    expect(app.get(ActiveRuns).size).toBe(0);
    await app.close();
  });
});
