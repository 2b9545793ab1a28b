import { OperatorContext } from '@nestor/core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { calls, deferred, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { TcpProxy } from '../../../../test/support/tcp-proxy.js';
import { AgentDatabase } from '../database/agent-database.js';
import { TypeOrmRunStore } from './typeorm-run.store.js';

const LIMIT = { timeout: 20_000, interval: 5 };
const root = OperatorContext.root();

await describeDatabases(
  'A database that goes away in the middle of a run',
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let database: AgentDatabase;
    let direct: AgentDatabase;
    const warnings: string[] = [];

    beforeEach(async () => {
      warnings.length = 0;
      place = await server.create();
      const proxied = await TcpProxy.before(place.url);
      proxy = proxied.proxy;
      const logger = { log() {}, warn: (text: string) => warnings.push(text), error() {} };
      database = await AgentDatabase.open({ url: proxied.url }, { logger });
      direct = await AgentDatabase.open(place);
    });
    afterEach(async () => {
      await database.close();
      await direct.close();
      await proxy.stop();
      await place.drop();
    });

    const agentWith = (runs: TypeOrmRunStore, effect: () => Promise<void>) =>
      scriptedAgent({
        script: ({ messages }) => (messages.length > 1 ? { text: 'done' } : calls(['send'])),
        tools: {
          send: async () => {
            await effect();
            return 'sent';
          },
        },
        services: { runs, settleGraceMs: 100 },
      }).agent;

    it('and comes back: the run goes on, and its tool was called once', async () => {
      let sent = 0;
      const agent = agentWith(new TypeOrmRunStore(database, { leaseMs: 6_000 }), async () => {
        sent += 1;
        await proxy.stop();
      });
      const running = agent.execute('go', root);
      // The first renewal is due after two seconds: by then the result has been waiting.
      await vi.waitUntil(() => warnings.length > 0, LIMIT);
      await proxy.start();
      expect(await running).toMatchObject({ content: 'done', exitReason: 'stop' });
      expect(sent).toBe(1);
    });

    it('and is away when its process ends: that one does not wait, and somebody else goes on', async () => {
      const runs = new TypeOrmRunStore(database, { leaseMs: 2_000 });
      const called = deferred();
      const agent = agentWith(runs, async () => {
        await proxy.stop();
        called.resolve();
      });
      const running = agent.execute('go', root, { runId: 'left' }).catch((error: unknown) => error);
      await called.promise;
      const startedAt = performance.now();
      await runs.close();
      expect(performance.now() - startedAt).toBeLessThan(1_500);
      expect(await running).toMatchObject({ code: 'aborted', cause: { code: 'handed_over' } });
      const store = new TypeOrmRunStore(direct);
      const recovered = await vi.waitUntil(() => store.claim('left'), LIMIT);
      expect(recovered.history.answers).toHaveLength(1);
      await recovered.log.release();
    });

    it('and stays away: the run stops before its lease is over, and somebody else goes on', async () => {
      const agent = agentWith(new TypeOrmRunStore(database, { leaseMs: 2_000 }), () => proxy.stop());
      const failure = await agent.execute('go', root, { runId: 'left' }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'aborted', cause: { code: 'lease_lost' } });
      const store = new TypeOrmRunStore(direct);
      expect(await store.find('left')).toMatchObject({ status: 'running' });
      const recovered = await vi.waitUntil(() => store.claim('left'), LIMIT);
      const output = await agentWith(store, async () => expect.unreachable()).recover(recovered, root);
      expect(output).toMatchObject({ content: 'done' });
      expect(output.messages.find(({ role }) => role === 'tool')?.content).toContain('outcome_unknown');
    });
  },
  ({ shared }) => shared,
);
