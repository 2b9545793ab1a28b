import type { AgentCallbackContext } from '@nestor/core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { plantedSecrets } from '../../../../test/support/planted-secrets.js';
import { AgentDatabase } from '../database/agent-database.js';
import { EventJournalBridge } from './event-journal.bridge.js';
import { EventJournal } from './event-journal.js';
import { JournalTable } from './journal.table.js';
import { JournalWriter } from './journal.writer.js';

const SILENT = { log() {}, warn() {}, error() {} };
/** Events in the test of the throughput; 100,000 where the full measure is asked for. */
const MANY = Number(process.env['JOURNAL_EVENTS'] ?? 6_000);

const contextOf = (executionId: string): AgentCallbackContext => ({
  executionId,
  graphName: 'support',
  nodeId: 'agent',
  operatorRef: 'support',
  sessionId: undefined,
  traceparent: undefined,
});

await describeDatabases('A journal with much to write', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  let writer: JournalWriter;
  let bridge: EventJournalBridge;

  beforeAll(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place);
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });
  beforeEach(() => {
    writer = new JournalWriter(new JournalTable(database), SILENT);
    bridge = new EventJournalBridge(writer);
  });

  it('holds none of 200 secrets', async () => {
    const secrets = plantedSecrets(200);
    for (const [index, { text, secret }] of secrets.entries()) {
      const call = { turnNumber: index, toolCallId: 'c', toolName: 'find' };
      const sent = JSON.stringify({ query: text, token: secret });
      bridge.onAgentToolDispatched({ ...call, argumentsJson: sent }, contextOf('secrets'));
      bridge.onAgentToolDispatched({ ...call, argumentsJson: text }, contextOf('secrets'));
      const summary = `${'x '.repeat(index % 40)}${text}`.slice(0, 200);
      bridge.onAgentToolCompleted(
        { ...call, success: true, latencyMs: 1, resultSummary: summary },
        contextOf('secrets'),
      );
    }
    await writer.flush();
    const { rows } = await database.query(
      `SELECT payload FROM agent_execution_event WHERE execution_id = 'secrets'`,
    );
    const table = rows.map(({ payload }) => String(payload)).join('\n');
    expect(rows).toHaveLength(600);
    expect(secrets.filter(({ secret }) => table.includes(secret))).toEqual([]);
  });

  it(`writes ${MANY} events of 20 runs in order and fast`, async () => {
    const begun = performance.now();
    const call = { toolCallId: 'c1', toolName: 'find' };
    const argumentsJson = JSON.stringify({
      query: 'invoices of last month',
      limit: 10,
      tags: ['open', 'late'],
    });
    for (let index = 0; index < MANY; index += 2) {
      const context = contextOf(`fast-${(index / 2) % 20}`);
      bridge.onAgentToolDispatched({ ...call, turnNumber: index, argumentsJson }, context);
      bridge.onAgentToolCompleted(
        { ...call, turnNumber: index, success: true, latencyMs: 3, resultSummary: 'found '.repeat(30) },
        context,
      );
      // As a process does that has other things to do.
      if (index % 500 === 498) await new Promise(setImmediate);
      if (writer.counters().queued > 8_000) await writer.flush();
    }
    await writer.flush();
    const seconds = (performance.now() - begun) / 1_000;
    expect(writer.counters()).toMatchObject({ appended: MANY, written: MANY, dropped: 0 });
    const journal = new EventJournal(database);
    for (let run = 0; run < 20; run++) {
      expect(await journal.verify(`fast-${run}`)).toMatchObject({ events: MANY / 20, complete: true });
    }
    console.info(`${server.name}: ${Math.round(MANY / seconds)} journal events/s`);
    expect(MANY / seconds).toBeGreaterThan(3_000);
  }, 120_000);
});
