import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, type Provider } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentLoopService, AgentModule, EventJournalRuntime, LLM_PROVIDER, Operator } from '@nestor/agent';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { AgentDatabase, EventJournal } from '@nestor/typeorm';
import { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalModule } from '../readme/journal.example.js';

@Injectable()
class Tools {
  @Operator({ description: 'Pings' })
  ping(): string {
    return 'pong';
  }
}

describe('eventJournal', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'nestor-journal-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function runOnce(options: object, providers: Provider[] = []) {
    const model = new ScriptedProvider([
      { toolCalls: [{ name: 'ping', arguments: { password: 'hunter2' }, id: 'c' }] },
      { text: 'done' },
    ]);
    const agent = AgentBuilder.create('a').model('m').tool('ping');
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ agents: [agent], llm: { provider: model }, ...options })],
      providers: [Tools, ...providers],
    }).compile();
    const app = await module.init();
    const { runId } = await app.get(AgentLoopService).run('a', 'go');
    const counters = app.get(EventJournalRuntime).counters;
    await app.close();
    return { runId, counters };
  }

  async function eventsIn(url: string, runId: string) {
    const database = await AgentDatabase.open({ url });
    const { events } = await new EventJournal(database).list({ runId });
    await database.close();
    return events;
  }

  const TYPES = [
    'AGENT_TURN_STARTED',
    'AGENT_LLM_CALLED',
    'AGENT_TOOL_DISPATCHED',
    'AGENT_TOOL_COMPLETED',
    'AGENT_TURN_STARTED',
    'AGENT_LLM_CALLED',
    'AGENT_LOOP_EXITED',
  ];

  it.each(['best-effort', 'strict'])(
    'writes every callback to the table, in order, without secrets (%s)',
    async (mode) => {
      const url = `sqlite:${join(folder, 'agent.db')}`;
      const { runId } = await runOnce({ database: { url }, eventJournal: { enabled: true, mode } });
      const events = await eventsIn(url, runId);
      expect(events.map(({ type }) => type)).toEqual(TYPES);
      expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(JSON.stringify(events)).not.toContain('hunter2');
    },
  );

  it('takes the place of the application’s DataSource, in a file of its own', async () => {
    const source = await new DataSource({
      type: 'better-sqlite3',
      driver: (await import('libsql')).default,
      database: join(folder, 'app.db'),
    }).initialize();
    const { runId } = await runOnce({ eventJournal: { enabled: true } }, [
      { provide: DataSource, useValue: source },
    ]);
    await source.destroy();
    expect((await eventsIn(`sqlite:${join(folder, 'app.agent.db')}`, runId)).map(({ type }) => type)).toEqual(
      TYPES,
    );
  });

  it('works as the README has it, in a file below the working directory', async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const provider = new ScriptedProvider([{ text: 'done' }]);
      const builder = Test.createTestingModule({ imports: [JournalModule] });
      const module = await builder.overrideProvider(LLM_PROVIDER).useValue(provider).compile();
      const app = await module.init();
      const { runId } = await app.get(AgentLoopService).run('orders', 'go');
      await app.close();
      expect(await eventsIn('sqlite:data/agent.db', runId)).toHaveLength(3);
    } finally {
      process.chdir(before);
    }
  });

  it('is not there when it is off', async () => {
    const { counters } = await runOnce({});
    expect(counters).toBeUndefined();
  });

  it('stops the boot when its database cannot be opened', async () => {
    await expect(
      runOnce({ database: { url: 'oracle://x' }, eventJournal: { enabled: true } }),
    ).rejects.toThrow(/oracle/);
  });
});
