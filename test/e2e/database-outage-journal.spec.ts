import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentLoopService, AgentModule, EventJournalRuntime, Operator } from '@nestor/agent';
import { AgentBuilder, InMemoryRunStore, OperatorContext, ScriptedProvider } from '@nestor/core';
import {
  AgentDatabase,
  EventJournal,
  EventJournalBridge,
  JournalTable,
  JournalWriter,
} from '@nestor/typeorm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../support/agent-databases.js';
import { strictRuns } from '../../libs/agent/src/journal/strict-runs.js';
import { scriptedAgent } from '../support/scripted-agent.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const RUNS = 40;
/** Of a run of two turns and one call. */
const EVENTS = 7;
/** Much less than the outage: no run waits for the database. */
const LONGEST_RUN_MS = 1_000;
const AWAY_MS = process.env['CRASH_FULL'] ? 10_000 : 2_000;
const SILENT = { log() {}, warn() {}, error() {} };
const LIMIT = { timeout: 30_000, interval: 20 };

@Injectable()
class Tools {
  @Operator({ description: 'Pings' })
  ping(): string {
    return 'pong';
  }
}

await describeDatabases(
  `The journal of plain runs whose database is away`,
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let url: string;

    beforeEach(async () => {
      place = await server.create();
      const proxied = new URL(place.url);
      proxy = new TcpProxy(proxied.hostname, Number(proxied.port));
      await proxy.start();
      proxied.port = String(proxy.port);
      url = proxied.href;
    });
    afterEach(async () => {
      await proxy.stop();
      await place.drop();
    });

    async function start() {
      const provider = new ScriptedProvider(({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? { text: 'done' }
          : { toolCalls: [{ name: 'ping', arguments: {}, id: 'c' }] },
      );
      const root = AgentModule.forRoot({
        agents: [AgentBuilder.create('a').model('m').tool('ping')],
        llm: { provider },
        database: { url },
        eventJournal: { enabled: true },
        shutdownGraceMs: 0,
      });
      const module = await Test.createTestingModule({ imports: [root], providers: [Tools] }).compile();
      const app = await module.init();
      return { app, agents: app.get(AgentLoopService), journal: app.get(EventJournalRuntime) };
    }

    it(
      'best-effort: no run fails or waits, and every event is written or counted',
      { timeout: 90_000 },
      async () => {
        const { app, agents, journal } = await start();
        const run = async (runId: string): Promise<number> => {
          const startedAt = performance.now();
          expect(await agents.run('a', 'go', { runId })).toMatchObject({ content: 'done' });
          return performance.now() - startedAt;
        };
        await run('before');
        await proxy.stop();
        const back = new Promise((resolve) => setTimeout(resolve, AWAY_MS)).then(() => proxy.start());
        const times: number[] = [];
        for (let n = 0; n < RUNS; n++) times.push(await run(`run-${n}`));
        await back;
        await run('after');
        await vi.waitUntil(() => journal.counters?.queued === 0, LIMIT);
        const { appended, written, dropped } = journal.counters!;
        console.log(
          `${server.name}: away for ${AWAY_MS} ms, ${RUNS} plain runs, the longest ${Math.max(...times).toFixed(0)} ms: ` +
            `appended ${appended}, written ${written}, dropped ${dropped}`,
        );
        expect(appended).toBe((RUNS + 2) * EVENTS);
        expect(written + dropped).toBe(appended);
        expect(Math.max(...times)).toBeLessThan(LONGEST_RUN_MS);
        await app.close();
        const database = await AgentDatabase.open(place);
        const { rows } = await database.query('SELECT COUNT(*) AS n FROM agent_execution_event');
        expect(Number(rows[0]?.['n'])).toBe(written);
        // Away for so short a time, nothing is given up.
        const whole = await Promise.all(
          ['before', 'run-0', 'after'].map((runId) => new EventJournal(database).verify(runId)),
        );
        expect(whole).toMatchObject(whole.map(() => ({ complete: true, exited: true, events: EVENTS })));
        await database.close();
      },
    );

    it('strict: a run fails, in bounded time, and the next one does not', async () => {
      const database = await AgentDatabase.open({ url });
      const options = { mode: 'strict', strictTimeoutMs: 300 } as const;
      const writer = new JournalWriter(new JournalTable(database), SILENT, options);
      const bridge = new EventJournalBridge(writer);
      const { agent } = scriptedAgent({
        script: () => ({ text: 'done' }),
        services: { runs: strictRuns(new InMemoryRunStore(), bridge), listeners: [bridge] },
      });
      const run = () => agent.execute('go', OperatorContext.root());
      await run();
      await proxy.stop();
      await expect(run()).rejects.toThrow(/journal/i);
      await proxy.start();
      expect(await run()).toMatchObject({ content: 'done' });
      await writer.close();
      await database.close();
    });
  },
  ({ shared }) => shared,
);
