import type { AgentCallbackContext } from '@nestor/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { TcpProxy } from '../../../../test/support/tcp-proxy.js';
import { AgentDatabase } from '../database/agent-database.js';
import { TypeOrmConversationStore } from '../sessions/typeorm-conversation.store.js';
import { EventJournalBridge } from './event-journal.bridge.js';
import { EventJournal } from './event-journal.js';
import { JournalTable } from './journal.table.js';
import { JournalWriter } from './journal.writer.js';

const SILENT = { log() {}, warn() {}, error() {} };
const EVENTS = 300;
const LIMIT = { timeout: 20_000, interval: 5 };

const context: AgentCallbackContext = {
  executionId: 'run',
  graphName: 'g',
  nodeId: 'n',
  operatorRef: 'o',
  sessionId: undefined,
  traceparent: undefined,
};

await describeDatabases(
  'A database that goes away',
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let database: AgentDatabase;
    let writer: JournalWriter;
    let turn = 0;
    const append = (count: number): void => {
      const bridge = new EventJournalBridge(writer);
      for (let i = 0; i < count; i++)
        bridge.onAgentTurnStarted({ turnNumber: ++turn, messageCount: 1 }, context);
    };

    beforeEach(async () => {
      turn = 0;
      place = await server.create();
      const proxied = await TcpProxy.before(place.url);
      proxy = proxied.proxy;
      database = await AgentDatabase.open({ url: proxied.url });
      writer = new JournalWriter(new JournalTable(database), SILENT, { writeTimeoutMs: 200 });
    });
    afterEach(async () => {
      await writer.close();
      await database.close();
      await proxy.stop();
      await place.drop();
    });

    it('refused for a while: the journal loses nothing', async () => {
      append(EVENTS);
      await proxy.stop();
      append(EVENTS);
      await vi.waitUntil(() => writer.counters().failures >= 3, LIMIT);
      await proxy.start();
      append(EVENTS);
      await writer.flush();
      expect(writer.counters()).toMatchObject({
        appended: 3 * EVENTS,
        written: 3 * EVENTS,
        dropped: 0,
        queued: 0,
      });
      expect(await new EventJournal(database).verify('run')).toMatchObject({
        events: 3 * EVENTS,
        complete: true,
      });
    });

    it('silent for a while: the journal loses nothing and writes nothing twice', async () => {
      append(EVENTS);
      await vi.waitUntil(() => writer.counters().written > 0, LIMIT);
      append(EVENTS);
      proxy.silence(true);
      await vi.waitUntil(() => writer.counters().failures >= 2, LIMIT);
      proxy.silence(false);
      await writer.flush();
      expect(writer.counters()).toMatchObject({ appended: 2 * EVENTS, written: 2 * EVENTS, dropped: 0 });
      expect(await new EventJournal(database).verify('run')).toMatchObject({
        events: 2 * EVENTS,
        complete: true,
      });
    });

    it('cut in the middle of a transaction: nothing of it is kept, and the store works on', async () => {
      const store = new TypeOrmConversationStore(database);
      await store.append('s', [{ role: 'user', content: '1' }], 0);
      const failing = database.transaction(async ({ query }) => {
        await query('DELETE FROM agent_message');
        await proxy.stop();
        await query('DELETE FROM agent_session');
      });
      await expect(failing).rejects.toThrow(/connection|closed|terminated/i);
      await expect(store.load('s')).rejects.toThrow(/ECONNREFUSED|refused/);
      await proxy.start();
      expect(await store.load('s')).toMatchObject({ version: 1, messages: [{ content: '1' }] });
      expect(await store.append('s', [{ role: 'user', content: '2' }], 1)).toBe(2);
    });
  },
  ({ shared }) => shared,
);
