import { Test } from '@nestjs/testing';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgentModule } from '../agent.module.js';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { AgentJournal } from './agent-journal.js';

const TYPES = ['AGENT_TURN_STARTED', 'AGENT_LLM_CALLED', 'AGENT_LOOP_EXITED'];

describe('AgentJournal', () => {
  let close = async (): Promise<void> => {};
  afterEach(() => close());

  async function start(enabled: boolean) {
    const root = AgentModule.forRoot({
      agents: [AgentBuilder.create('a').model('m')],
      llm: { provider: new ScriptedProvider(() => ({ text: 'Hello.' })) },
      database: { url: 'sqlite::memory:' },
      eventJournal: { enabled },
    });
    const module = await Test.createTestingModule({ imports: [root] }).compile();
    const app = await module.init();
    close = () => app.close();
    const journal = app.get(AgentJournal);
    const run = async (): Promise<string> => {
      const { runId } = await app.get(AgentLoopService).run('a', 'Hi');
      await vi.waitFor(async () => expect((await journal.verify(runId)).exited).toBe(true));
      return runId;
    };
    return { journal, run };
  }

  it('lists, follows, checks and purges what runs leave', async () => {
    const { journal, run } = await start(true);
    const runId = await run();
    const { events, next } = await journal.list({ runId });
    expect(events.map(({ type }) => type)).toEqual(TYPES);
    expect(next).toBeUndefined();
    const followed = [];
    for await (const event of journal.stream(runId, 2)) followed.push(event);
    expect(followed).toEqual(events.slice(1));
    expect(await journal.verify(runId)).toEqual({
      events: 3,
      last: 3,
      missing: [],
      exited: true,
      complete: true,
    });
    expect(await journal.purge(Date.now() + 1)).toBe(3);
    expect((await journal.list()).events).toEqual([]);
  });

  it('goes on after a page, or within a run after a number', async () => {
    const { journal, run } = await start(true);
    const runIds = [await run(), await run()];
    const all = (await journal.list()).events;
    expect(new Set(all.map(({ executionId }) => executionId))).toEqual(new Set(runIds));
    const page = await journal.list({ limit: 4 });
    expect([...page.events, ...(await journal.list({ after: page.next! })).events]).toEqual(all);
    const [runId] = runIds;
    for (const after of [0, 1, 3]) {
      const { events } = await journal.list({ runId: runId!, after });
      expect(events.map(({ sequenceNumber }) => sequenceNumber)).toEqual([1, 2, 3].slice(after));
    }
    await expect(journal.list({ after: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' });
  });

  it('says how it is switched on where it is off', async () => {
    const { journal } = await start(false);
    const off = { code: 'journal_off', message: expect.stringContaining('eventJournal: { enabled: true }') };
    expect(journal.enabled).toBe(false);
    await expect(journal.list()).rejects.toMatchObject(off);
    await expect(journal.verify('r')).rejects.toMatchObject(off);
    await expect(journal.purge(0)).rejects.toMatchObject(off);
    expect(() => journal.stream('r')).toThrow(expect.objectContaining(off));
  });

  it('is not there any more when the application is closed', async () => {
    const { journal } = await start(true);
    await close();
    await expect(journal.list()).rejects.toMatchObject({ code: 'not_started' });
  });
});
