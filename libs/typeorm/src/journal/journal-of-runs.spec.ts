import { OperatorContext, type RunStore } from '@nestor/core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { AgentDatabase } from '../database/agent-database.js';
import { EventJournalBridge } from './event-journal.bridge.js';
import { EventJournal } from './event-journal.js';
import type { JournalWriterOptions } from './journal-writer.options.js';
import { JournalException } from './journal.exception.js';
import { JournalTable } from './journal.table.js';
import { JournalWriter } from './journal.writer.js';

const logger = { log: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** Runs whose log waits for the journal: the model's answer is acted on once it is written. */
function waitingRuns(bridge: EventJournalBridge): RunStore {
  return {
    open: ({ runId }) => {
      const written = async (): Promise<void> => void (await bridge.settled(runId));
      return { answered: written, toolCompleted: written, ended: written };
    },
    find: () => undefined,
    list: () => [],
  };
}

await describeDatabases('The journal of a run', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  const calls: string[] = [];

  beforeAll(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place);
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });
  beforeEach(() => {
    calls.length = 0;
    vi.clearAllMocks();
  });
  afterEach(async () => {
    if (await hidden()) await database.query('ALTER TABLE hidden RENAME TO agent_execution_event');
  });
  const hide = (): Promise<unknown> => database.query('ALTER TABLE agent_execution_event RENAME TO hidden');
  const hidden = (): Promise<boolean> =>
    database.query('SELECT 1 FROM hidden WHERE 1 = 0').then(
      () => true,
      () => false,
    );

  /** An agent that calls one tool and then answers: seven events. */
  const setUp = (options: JournalWriterOptions = {}, table = new JournalTable(database)) => {
    const writer = new JournalWriter(table, logger, { maxDelayMs: 1, attempts: 2, ...options });
    const bridge = new EventJournalBridge(writer, { logger });
    const { agent } = scriptedAgent({
      script: [{ toolCalls: [{ name: 'note', arguments: { text: 'hi' } }] }, { text: 'Done.' }],
      tools: { note: ({ text }: { text: string }) => void calls.push(text) },
      services: { listeners: [bridge], ...(options.mode === 'strict' && { runs: waitingRuns(bridge) }) },
    });
    const run = (runId: string) => agent.execute('Note it.', OperatorContext.root(), { runId });
    return { writer, bridge, run };
  };

  it('holds what happened, in order', async () => {
    const { bridge, run } = setUp();
    await run('whole');
    expect(await bridge.settled('whole')).toEqual({ written: 7, dropped: 0, complete: true });
    const { events } = await new EventJournal(database).list({ runId: 'whole' });
    expect(events.map(({ type }) => type)).toEqual([
      'AGENT_TURN_STARTED',
      'AGENT_LLM_CALLED',
      'AGENT_TOOL_DISPATCHED',
      'AGENT_TOOL_COMPLETED',
      'AGENT_TURN_STARTED',
      'AGENT_LLM_CALLED',
      'AGENT_LOOP_EXITED',
    ]);
  });

  it('a strict run ends with all of it written', async () => {
    const { bridge, run } = setUp({ mode: 'strict' });
    expect(await run('strict')).toMatchObject({ content: 'Done.' });
    await bridge.settled('strict');
    expect(await new EventJournal(database).verify('strict')).toMatchObject({
      events: 7,
      exited: true,
      complete: true,
    });
  });

  it('B159 (a): the table is gone: a best-effort run completes, and its journal is known to be partial', async () => {
    await hide();
    const { writer, bridge, run } = setUp();
    expect(await run('partial')).toMatchObject({ content: 'Done.', exitReason: 'stop' });
    expect(await bridge.settled('partial')).toEqual({ written: 0, dropped: 7, complete: false });
    expect(writer.counters()).toMatchObject({ appended: 7, written: 0, dropped: 7, queued: 0 });
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(logger.warn).toHaveBeenCalledWith(expect.stringMatching(/agent_execution_event/));
  });

  it('B159 (a): the table is gone: a strict run fails before its tool is called', async () => {
    await hide();
    const { run } = setUp({ mode: 'strict' });
    const failing = run('failed');
    await expect(failing).rejects.toBeInstanceOf(JournalException);
    await expect(failing).rejects.toMatchObject({ code: 'journal_failed', runId: 'failed' });
    expect(calls).toEqual([]);
  });

  it('B159 (b): three failed writes are made good', async () => {
    const table = new JournalTable(database);
    let failures = 3;
    for (const name of ['insert', 'insertOnce'] as const) {
      const original = table[name].bind(table) as (...args: unknown[]) => Promise<never>;
      vi.spyOn(table, name).mockImplementation((...args: unknown[]) => {
        return failures-- > 0 ? Promise.reject(new Error('connection reset')) : original(...args);
      });
    }
    const { bridge, run } = setUp({ attempts: 5 }, table);
    await run('mended');
    expect(await bridge.settled('mended')).toMatchObject({ complete: true });
    expect(await new EventJournal(database).verify('mended')).toMatchObject({ events: 7, complete: true });
  });

  it('B159 (c): a database that hangs holds up no best-effort run, and fails a strict one', async () => {
    const hanging = new JournalTable(database);
    for (const name of ['insert', 'insertOnce', 'lastSequences', 'ping'] as const) {
      vi.spyOn(hanging, name).mockReturnValue(new Promise<never>(() => {}));
    }
    const patient = setUp({ writeTimeoutMs: 20 }, hanging);
    expect(await patient.run('hanging')).toMatchObject({ content: 'Done.' });
    await patient.writer.close(20);
    expect(patient.writer.counters()).toMatchObject({ appended: 7, dropped: 7, queued: 0 });
    const strict = setUp({ mode: 'strict', writeTimeoutMs: 20, strictTimeoutMs: 50 }, hanging);
    await expect(strict.run('hanging strictly')).rejects.toMatchObject({ code: 'journal_failed' });
    await strict.writer.close(20);
    expect(calls).toEqual(['hi']);
  });
});
