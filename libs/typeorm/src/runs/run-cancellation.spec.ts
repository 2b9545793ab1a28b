import { OperatorContext } from '@nestor/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { answerStep, DONE, newRun, pendingIn, resultStep } from '../../../../test/support/run-steps.js';
import { slowAgent } from '../../../../test/support/slow-agent.js';
import { AgentDatabase } from '../database/agent-database.js';
import type { TypeOrmRunLog } from './typeorm-run.log.js';
import { TypeOrmRunStore } from './typeorm-run.store.js';

const run = (runId: string) => newRun({ runId });

await describeDatabases('The request to end a run', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;
  let store: TypeOrmRunStore;

  beforeEach(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place);
    store = new TypeOrmRunStore(database);
  });
  afterEach(async () => {
    await store.close({ graceMs: 0 });
    await database.close();
    await place.drop();
  });

  const expire = (runId: string) =>
    database.query('UPDATE agent_run SET lease_until = 1 WHERE id = ?', [runId]);

  it('tells whoever executes the run, which is still to write its end', async () => {
    const short = new TypeOrmRunStore(database, { leaseMs: 2_000 });
    const started = deferred<void>();
    const running = slowAgent(short, started.resolve).execute('go', OperatorContext.root(), {
      runId: 'unwanted',
    });
    const ended = running.catch((error: unknown) => error);
    await started.promise;
    expect(await store.cancel('unwanted', 'by somebody else')).toBe(true);
    expect(await ended).toMatchObject({ code: 'aborted' });
    expect(await store.find('unwanted')).toMatchObject({
      status: 'aborted',
      outcome: { exitReason: 'aborted' },
    });
  });

  it('takes the step under way, tells with it, and takes no end but its own', async () => {
    const log = await store.open(run('cancelled'));
    const step = answerStep(1, ['send']);
    await log.answered(step);
    expect(await store.cancel('cancelled', 'enough')).toBe(true);
    await log.toolCompleted(resultStep(step, 0));
    expect(log.lost).toMatchObject({ aborted: true, reason: 'cancelled by request' });
    expect((await store.history('cancelled'))?.calls.get(step.calls[0]!.toolCallId)?.result).toBeDefined();
    await log.ended({ exitReason: 'aborted', turnsUsed: 1, totalTokens: 0, error: 'was cancelled' });
    expect(await store.find('cancelled')).toMatchObject({ status: 'aborted' });
  });

  it.each<[string, (log: TypeOrmRunLog) => Promise<unknown>]>([
    ['ended', (log) => log.ended(DONE)],
    ['waiting for people', (log) => log.suspended(pendingIn(answerStep(1, ['pay'], [0])))],
  ])('does not let the run be recorded as %s', async (_, end) => {
    const log = await store.open(run('late'));
    await log.answered(answerStep(1, ['pay'], [0]));
    expect(await store.cancel('late', 'enough')).toBe(true);
    await expect(end(log)).rejects.toMatchObject({ code: 'cancelled' });
    expect(log.lost.aborted).toBe(true);
    await log.ended({ exitReason: 'aborted', turnsUsed: 1, totalTokens: 0, error: 'was cancelled' });
    expect(await store.find('late')).toMatchObject({ status: 'aborted' });
    expect(await store.cancel('late', 'again')).toBe(false);
  });

  it('ends a run whose process is gone when it is taken over', async () => {
    await store.open(run('orphan'));
    expect(await store.cancel('orphan', 'enough')).toBe(true);
    await expire('orphan');
    expect(await store.claim('orphan')).toBeUndefined();
    expect(await store.find('orphan')).toMatchObject({ status: 'aborted' });
  });
});
