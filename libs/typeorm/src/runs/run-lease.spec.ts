import { OperatorContext, type NewRun } from '@nestor/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { answerStep, DONE, newRun, pendingIn, resultStep } from '../../../../test/support/run-steps.js';
import { slowAgent } from '../../../../test/support/slow-agent.js';
import { AgentDatabase } from '../database/agent-database.js';
import type { TypeOrmRunLog } from './typeorm-run.log.js';
import { TypeOrmRunStore } from './typeorm-run.store.js';

const LIMIT = { timeout: 20_000, interval: 10 };
const root = OperatorContext.root();

const run = (runId: string): NewRun => newRun({ runId });

await describeDatabases('The lease of a run', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  let store: TypeOrmRunStore;
  const logged: string[] = [];

  beforeEach(async () => {
    logged.length = 0;
    place = await server.create();
    const logger = { log() {}, warn: (text: string) => logged.push(text), error() {} };
    database = await AgentDatabase.open(place, { logger });
    store = new TypeOrmRunStore(database);
  });
  afterEach(async () => {
    await store.close({ graceMs: 0 });
    await database.close();
    await place.drop();
  });

  const row = async (runId: string) =>
    (await database.query('SELECT * FROM agent_run WHERE id = ?', [runId])).rows[0]!;
  const expire = (runId: string) =>
    database.query('UPDATE agent_run SET lease_until = 1 WHERE id = ?', [runId]);

  it('is renewed for as long as the run goes on', async () => {
    const short = new TypeOrmRunStore(database, { leaseMs: 2_000 });
    const log = await short.open(run('long'));
    const first = Number((await row('long'))['lease_until']);
    await vi.waitUntil(async () => (await database.now()) > first + 2_000, LIMIT);
    expect(await store.claim('long')).toBeUndefined();
    expect(log.lost.aborted).toBe(false);
    await log.ended(DONE);
    expect(await row('long')).toMatchObject({ lease_until: null });
  });

  it('tells its holder when another has taken it', async () => {
    const short = new TypeOrmRunStore(database, { leaseMs: 3_000 });
    const log = await short.open(run('taken'));
    await expire('taken');
    const claimed = await store.claim('taken');
    await vi.waitUntil(() => log.lost.aborted, LIMIT);
    expect(log.lost.reason).toMatchObject({
      code: 'lease_lost',
      message: expect.stringContaining('taken over'),
    });
    await expect(log.ended(DONE)).rejects.toMatchObject({ code: 'lease_lost' });
    await claimed?.log.ended(DONE);
  });

  it('stops a run of the loop that has lost it, which records no end', async () => {
    const short = new TypeOrmRunStore(database, { leaseMs: 600 });
    const started = deferred();
    const running = slowAgent(short, started.resolve)
      .execute('go', root, { runId: 'looping' })
      .catch((error: unknown) => error);
    await started.promise;
    await expire('looping');
    const claimed = await store.claim('looping');
    expect(await running).toMatchObject({ code: 'aborted', cause: { code: 'lease_lost' } });
    expect(await store.find('looping')).toMatchObject({ status: 'running' });
    const [call] = [...((await store.history('looping'))?.calls.values() ?? [])];
    expect(call).toMatchObject({ started: true, result: undefined });
    await claimed?.log.ended(DONE);
  });

  it('lets nobody act on what was written when it may have run out', async () => {
    const clock = vi.spyOn(performance, 'now');
    const log = await store.open(run('still'));
    clock.mockReturnValue(performance.now() + 25_000);
    const step = {
      turn: 1,
      response: { message: { role: 'assistant' as const, content: '' }, finishReason: '' },
    };
    await expect(log.answered({ ...step, calls: [] })).rejects.toMatchObject({ code: 'lease_lost' });
    expect(log.lost.aborted).toBe(true);
    expect((await store.history('still'))?.answers).toHaveLength(1);
  });

  describe('the fence', () => {
    const step = answerStep(1, ['find', 'pay'], [1]);
    const everything = async () => [
      (await database.query('SELECT * FROM agent_run')).rows,
      (await database.query('SELECT * FROM agent_step')).rows,
      (await database.query('SELECT * FROM agent_approval')).rows,
    ];

    it.each<[string, (log: TypeOrmRunLog) => Promise<unknown>]>([
      ['answered', (log) => log.answered(answerStep(2, ['find']))],
      ['toolStarted', (log) => log.toolStarted(step.calls[1]!)],
      ['toolCompleted', (log) => log.toolCompleted(resultStep(step, 0))],
      ['suspended', (log) => log.suspended(pendingIn(step))],
      ['ended', (log) => log.ended(DONE)],
      ['release', (log) => log.release()],
    ])('lets who has lost the run write nothing: %s', async (_name, write) => {
      const log = await store.open(run('fenced'));
      await log.answered(step);
      await expire('fenced');
      // By the same store: the owner is the same, the fence is not.
      await store.claim('fenced');
      const before = await everything();
      await expect(write(log)).rejects.toMatchObject({ code: 'lease_lost' });
      expect(log.lost.aborted).toBe(true);
      expect(await everything()).toEqual(before);
    });

    it('gives every result that was taken to whoever takes the run over', async () => {
      const other = await AgentDatabase.open(place);
      const taker = new TypeOrmRunStore(other);
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, async (_, n) => {
          const runId = `race-${n}`;
          const log = await store.open(run(runId));
          await log.answered(step);
          await expire(runId);
          const [write, claimed] = await Promise.all([
            log.toolCompleted(resultStep(step, 0)).then(
              () => 'written',
              (error: { code?: string }) => error.code,
            ),
            taker.claim(runId).then(async (first) => first ?? vi.waitUntil(() => taker.claim(runId), LIMIT)),
          ]);
          const known = claimed.history.calls.get('c1_0')?.result !== undefined;
          expect([runId, write, known]).toEqual([runId, known ? 'written' : 'lease_lost', known]);
          expect(await store.history(runId)).toEqual(claimed.history);
          return write;
        }),
      );
      expect(outcomes).toHaveLength(40);
      await taker.close({ graceMs: 0 });
      await other.close();
    });
  });

  describe('close', () => {
    it('hands runs over: results are kept, others may go on at once, and no attempt is counted', async () => {
      const leaving = new TypeOrmRunStore(database);
      const started = deferred();
      const exits = vi.fn();
      const running = slowAgent(leaving, started.resolve)
        .execute('go', root, { runId: 'moved', listeners: [{ onAgentLoopExited: exits }] })
        .catch((error: unknown) => error);
      await started.promise;
      await leaving.close();
      expect(await running).toMatchObject({ code: 'aborted', cause: { code: 'handed_over' } });
      expect(await row('moved')).toMatchObject({ status: 'queued', attempts: 0 });
      expect(exits).not.toHaveBeenCalled();
      const recovered = await store.claim('moved');
      expect(recovered?.history.calls.size).toBe(1);
      const output = await slowAgent(store, () => expect.unreachable()).recover(recovered!, root);
      expect(output).toMatchObject({ exitReason: 'stop', content: 'done' });
      await expect(leaving.open(run('new'))).rejects.toMatchObject({ code: 'store_closed' });
      await expect(leaving.claimNext()).rejects.toMatchObject({ code: 'store_closed' });
    });

    it('leaves what is not left in time to run out', async () => {
      const leaving = new TypeOrmRunStore(database);
      const log = await leaving.open(run('stuck'));
      await leaving.close({ graceMs: 20 });
      expect(logged.join()).toMatch(/1 runs were not left/);
      await expect(log.ended(DONE)).rejects.toMatchObject({ code: 'lease_lost' });
      expect(await store.claim('stuck')).toBeUndefined();
    });

    it('gives back a claimed run that nobody began', async () => {
      await store.enqueue(run('unwanted'));
      const claimed = await store.claimNext();
      await claimed?.log.release();
      await claimed?.log.release();
      const again = await store.claimNext();
      expect(again?.history.run.runId).toBe('unwanted');
      await expect(claimed?.log.ended(DONE)).rejects.toMatchObject({ code: 'lease_lost' });
      await again?.log.ended(DONE);
    });
  });
});
