import { OperatorContext } from '@nestor/core';
import { AgentDatabase, TypeOrmConversationStore, TypeOrmRunStore } from '@nestor/typeorm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { crashAgent, questionOf, TURNS, type Witness } from '../crash/crash-agent.js';
import { witnessedLog, witnessedSessions } from '../crash/witnessed.js';
import { describeDatabases, type TestDatabase } from '../support/agent-databases.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** Far shorter than a lease: the process that has a run keeps it. */
const AWAY_MS = 300;
const TOOLS = ['keyed', 'once', 'pure'];
/** What comes next is a commit. */
const POINTS = [
  `before:answered:${TURNS}`,
  `after:call:once:${TURNS}`,
  `before:toolCompleted:once:${TURNS}`,
  'before:append',
  'before:ended',
];

await describeDatabases(
  'A database that is away for less than a lease',
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let database: AgentDatabase;
    let direct: AgentDatabase;

    beforeEach(async () => {
      place = await server.create();
      const proxied = await TcpProxy.before(place.url);
      proxy = proxied.proxy;
      database = await AgentDatabase.open({ url: proxied.url });
      direct = await AgentDatabase.open(place);
    });
    afterEach(async () => {
      await database.close();
      await direct.close();
      await proxy.stop();
      await place.drop();
    });

    async function outage(): Promise<void> {
      await proxy.stop();
      await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
      await proxy.start();
    }

    it.each(POINTS)('from %s on: the run ends, and nothing happens twice', async (point) => {
      const called: string[] = [];
      let away: Promise<void> | undefined;
      const witness: Witness = {
        note: ({ kind, key }) => void (kind === 'call' && called.push(key)),
        at: (reached) => {
          if (reached === point) away = outage();
        },
      };
      const store = new TypeOrmRunStore(database);
      const sessions = witnessedSessions(witness, new TypeOrmConversationStore(database));
      const agent = crashAgent({
        ...witness,
        tools: TOOLS,
        longestCallMs: 0,
        sessions,
        runs: {
          open: async (run) => witnessedLog(witness, { run, answers: [] }, await store.open(run)),
          find: (runId) => store.find(runId),
          list: () => store.list(),
        },
      });
      const context = OperatorContext.root({ sessionId: 'session' });
      const output = await agent.execute([questionOf('r')], context, { runId: 'r' });
      expect(away).toBeDefined();
      await away;
      expect(output).toMatchObject({ content: 'done r', exitReason: 'stop' });
      expect(called).toHaveLength(new Set(called).size);
      expect(await new TypeOrmRunStore(direct).find('r')).toMatchObject({ status: 'completed' });
      const { messages } = await new TypeOrmConversationStore(direct).load('session');
      expect(messages).toHaveLength(2 + TURNS * (1 + TOOLS.length));
    });
  },
  ({ shared }) => shared,
);
