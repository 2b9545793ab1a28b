import type { AgentCallbackContext } from '@nestor/core';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { AgentDatabase } from '../database/agent-database.js';
import { EventJournalBridge } from './event-journal.bridge.js';
import { EventJournal } from './event-journal.js';
import type { JournalEvent } from './journal-event.js';
import { JournalTable } from './journal.table.js';
import { JournalWriter } from './journal.writer.js';

const SILENT = { log() {}, warn() {}, error() {} };
const contextOf = (executionId: string): AgentCallbackContext => ({
  executionId,
  graphName: 'support',
  nodeId: 'agent',
  operatorRef: 'support',
  sessionId: undefined,
  traceparent: undefined,
});

await describeDatabases('EventJournal', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  let journal: EventJournal;
  let writer: JournalWriter;
  let bridge: EventJournalBridge;

  beforeAll(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place);
    journal = new EventJournal(database);
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });
  beforeEach(async () => {
    await database.query('DELETE FROM agent_execution_event');
    writer = new JournalWriter(new JournalTable(database), SILENT);
    bridge = new EventJournalBridge(writer);
  });

  const started = (runId: string, turnNumber: number): void =>
    bridge.onAgentTurnStarted({ turnNumber, messageCount: turnNumber }, contextOf(runId));
  const exited = (runId: string): void =>
    bridge.onAgentLoopExited(
      { totalTurns: 1, totalLlmCalls: 1, totalLlmTokens: 5, totalLatencyMs: 9, exitReason: 'stop' },
      contextOf(runId),
    );
  /** A whole run of one turn and one tool: five events. */
  const run = (runId: string): void => {
    const context = contextOf(runId);
    const call = { turnNumber: 1, toolCallId: 'c1', toolName: 'find' };
    started(runId, 1);
    bridge.onAgentLlmCalled(
      {
        turnNumber: 1,
        model: 'm',
        promptTokens: 3,
        completionTokens: 2,
        latencyMs: 7,
        finishReason: 'tool_calls',
      },
      context,
    );
    bridge.onAgentToolDispatched({ ...call, argumentsJson: '{"q":"żółw 🐢 \\u0000"}' }, context);
    bridge.onAgentToolCompleted({ ...call, success: true, latencyMs: 2, resultSummary: 'a\0b' }, context);
    exited(runId);
  };
  const numbers = (events: readonly JournalEvent[]): number[] =>
    events.map(({ sequenceNumber }) => sequenceNumber);

  it('B153: keeps each callback as one row, as it was', async () => {
    run('r1');
    expect(await bridge.settled('r1')).toEqual({ written: 5, dropped: 0, complete: true });
    const { events, next } = await journal.list({ runId: 'r1' });
    expect(next).toBeUndefined();
    expect(events.map(({ sequenceNumber, type }) => [sequenceNumber, type])).toEqual([
      [1, 'AGENT_TURN_STARTED'],
      [2, 'AGENT_LLM_CALLED'],
      [3, 'AGENT_TOOL_DISPATCHED'],
      [4, 'AGENT_TOOL_COMPLETED'],
      [5, 'AGENT_LOOP_EXITED'],
    ]);
    expect(events[2]).toMatchObject({
      executionId: 'r1',
      graphName: 'support',
      nodeId: 'agent',
      operatorRef: 'support',
      payload: {
        turnNumber: 1,
        toolCallId: 'c1',
        toolName: 'find',
        argumentsJson: '{"q":"żółw 🐢 \\u0000"}',
      },
    });
    expect(events[3]?.payload).toMatchObject({ resultSummary: 'a\0b' });
    expect(Math.abs(Date.now() - (events[0]?.timestamp ?? 0))).toBeLessThan(60_000);
  });

  it('B155: 200 events of ten runs while the application holds a transaction', async () => {
    const application = await openApplication(place.url);
    const runner = application.createQueryRunner();
    await runner.startTransaction();
    await runner.query('INSERT INTO orders (n) VALUES (1)');
    const own = database.transaction(async ({ query }) => {
      await query('UPDATE agent_run SET turn = 1');
      for (let turn = 1; turn <= 20; turn++) for (let r = 0; r < 10; r++) started(`parallel-${r}`, turn);
      await query('UPDATE agent_run SET turn = 2');
      throw new Error('rolled back');
    });
    await expect(own).rejects.toThrow('rolled back');
    await writer.flush();
    await runner.query('INSERT INTO orders (n) VALUES (2)');
    await runner.commitTransaction();
    expect(await application.query('SELECT n FROM orders ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
    await runner.release();
    await application.destroy();
    for (let r = 0; r < 10; r++) {
      expect(await journal.verify(`parallel-${r}`)).toMatchObject({ events: 20, last: 20, complete: true });
    }
    expect(writer.counters()).toMatchObject({ appended: 200, written: 200, failures: 0 });
  });

  it('B157: fifty events of one millisecond come back in order, in pages too', async () => {
    for (let turn = 1; turn <= 25; turn++) for (const id of ['x', 'y']) started(id, turn);
    await writer.flush();
    await database.query('UPDATE agent_execution_event SET timestamp = 1796072670363');
    const all = Array.from({ length: 25 }, (_, index) => index + 1);
    expect(numbers((await journal.list({ runId: 'y' })).events)).toEqual(all);
    for (const query of [{}, { runId: 'x' }, { from: 1796072670363, to: 1796072670364 }]) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await journal.list({ ...query, limit: 7, ...(after !== undefined && { after }) });
        seen.push(...page.events.map(({ executionId, sequenceNumber }) => `${executionId}${sequenceNumber}`));
        after = page.next;
      } while (after !== undefined);
      const ids = 'runId' in query ? ['x'] : ['x', 'y'];
      expect(seen).toEqual(ids.flatMap((id) => all.map((n) => `${id}${n}`)));
    }
    expect((await journal.list({ to: 1796072670363 })).events).toEqual([]);
  });

  it('finds events by their kind, and refuses a cursor that is none', async () => {
    run('r1');
    run('r2');
    await writer.flush();
    const { events } = await journal.list({ type: 'AGENT_LOOP_EXITED' });
    expect(events.map(({ executionId }) => executionId).sort()).toEqual(['r1', 'r2']);
    for (const after of ['', 'x', Buffer.from('[1]').toString('base64url')]) {
      await expect(journal.list({ after })).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });

  it('takes any run id', async () => {
    const ids = ['R', 'r', 'r ', 'ř', 'r'.repeat(300), ''];
    for (const id of ids) started(id, 1);
    await writer.flush();
    for (const id of ids) expect(await journal.verify(id)).toMatchObject({ events: 1, complete: true });
    await journal.purge(Date.now() + 1_000);
  });

  it('goes on in another process where the first one stopped', async () => {
    started('moved', 1);
    await writer.close();
    writer = new JournalWriter(new JournalTable(database), SILENT);
    bridge = new EventJournalBridge(writer);
    started('moved', 2);
    exited('moved');
    await writer.flush();
    expect(await journal.verify('moved')).toEqual({
      events: 3,
      last: 3,
      missing: [],
      exited: true,
      complete: true,
    });
  });

  it('tells which numbers are missing', async () => {
    for (let turn = 1; turn <= 9; turn++) started('gaps', turn);
    await writer.flush();
    await database.query(`DELETE FROM agent_execution_event WHERE sequence_number IN (1, 4, 5)`);
    expect(await journal.verify('gaps')).toEqual({
      events: 6,
      last: 9,
      missing: [
        { from: 1, to: 1 },
        { from: 4, to: 5 },
      ],
      exited: false,
      complete: false,
    });
    expect(await journal.verify('nobody')).toMatchObject({ events: 0, last: 0, complete: true });
  });

  it('streams what is there and what comes, to the end of the run', async () => {
    started('live', 1);
    await writer.flush();
    const heard: number[] = [];
    for await (const { sequenceNumber } of journal.stream('live')) {
      heard.push(sequenceNumber);
      if (sequenceNumber === 1) started('live', 2);
      if (sequenceNumber === 2) exited('live');
    }
    expect(heard).toEqual([1, 2, 3]);
    const rest: number[] = [];
    for await (const { sequenceNumber } of journal.stream('live', 3)) rest.push(sequenceNumber);
    expect(rest).toEqual([3]);
  });

  it('ends a stream with the signal', async () => {
    started('open', 1);
    await writer.flush();
    const controller = new AbortController();
    const heard: number[] = [];
    for await (const { sequenceNumber } of journal.stream('open', 1, { signal: controller.signal })) {
      heard.push(sequenceNumber);
      setImmediate(() => controller.abort());
    }
    expect(heard).toEqual([1]);
  });

  it('purges whole runs', async () => {
    for (let index = 0; index < 120; index++) run(`old-${index}`);
    run('mixed');
    await writer.flush();
    await database.query('UPDATE agent_execution_event SET timestamp = 1000');
    run('mixed');
    run('new');
    await writer.flush();
    expect(await journal.purge(2_000)).toBe(600);
    expect(await journal.purge(2_000)).toBe(0);
    expect(await journal.verify('mixed')).toMatchObject({ events: 10, complete: true });
  });
});

/** The application's own connection; on SQLite its own file, as it must have. */
async function openApplication(url: string): Promise<DataSource> {
  const dataSource = url.startsWith('sqlite:')
    ? new DataSource({
        type: 'better-sqlite3',
        driver: (await import('libsql')).default,
        database: `${url.slice('sqlite:'.length)}.application`,
      })
    : new DataSource(url.startsWith('mysql:') ? { type: 'mysql', url } : { type: 'postgres', url });
  await dataSource.initialize();
  await dataSource.query('CREATE TABLE orders (n integer)');
  return dataSource;
}
