import type { DurableRunStore, RunLog } from '@nestor/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerStep, DONE, later, newRun, pendingIn } from '../support/run-steps.js';
import type { RunPlace } from './durable-run-store.contract.js';

/** Runs that are kept for later, and runs that are ended by somebody else than who executes them. */
export function durableRunQueueContract(placeOf: () => RunPlace): void {
  let place: RunPlace;
  let store: DurableRunStore;
  let counter = 0;
  const freshAgent = (): string => `queue-agent-${++counter}`;

  beforeAll(() => {
    place = placeOf();
    store = place.store;
  });

  describe('the queue', () => {
    it('keeps a run as it is until somebody claims it, anywhere', async () => {
      const run = newRun({ agentId: freshAgent(), sessionId: 's', ctx: { a: 1 }, caller: { user: 'ann' } });
      await store.enqueue(run);
      expect(await place.other.find(run.runId)).toMatchObject({ status: 'queued', endedAt: undefined });
      const claimed = await place.other.claimNext([run.agentId]);
      expect(claimed?.history).toMatchObject({ run, answers: [] });
      expect(await store.find(run.runId)).toMatchObject({ status: 'running' });
      expect(await store.claim(run.runId)).toBeUndefined();
      await claimed?.log.ended(DONE);
      expect(await store.find(run.runId)).toMatchObject({ status: 'completed' });
    });

    it('takes each run id once', async () => {
      const run = newRun({ agentId: freshAgent() });
      await store.enqueue(run);
      await expect(later(() => store.enqueue(run))).rejects.toMatchObject({ code: 'run_exists' });
      await store.cancel(run.runId, 'test over');
    });

    it('gives only runs of the agents that are asked for', async () => {
      const [mine, theirs] = [freshAgent(), freshAgent()];
      const run = newRun({ agentId: mine });
      await store.enqueue(run);
      expect(await store.claimNext([theirs])).toBeUndefined();
      expect(await store.claimNext([])).toBeUndefined();
      const claimed = await store.claimNext([theirs, mine]);
      expect(claimed?.history.run.runId).toBe(run.runId);
      await claimed?.log.ended(DONE);
    });
  });

  describe('runs of one session', () => {
    const queued = async (count: number) => {
      const agentId = freshAgent();
      const runs = Array.from({ length: count }, () => newRun({ agentId, sessionId: agentId }));
      for (const run of runs) await store.enqueue(run);
      return { agentId, ids: runs.map(({ runId }) => runId) };
    };

    it('are given out one after another, in their order', async () => {
      const { agentId, ids } = await queued(3);
      const other = newRun({ agentId, sessionId: `${agentId} other` });
      await store.enqueue(other);
      const taken: (string | undefined)[] = [];
      for (let n = 0; n < 3; n++) {
        const claimed = [await store.claimNext([agentId]), await store.claimNext([agentId])];
        const own = claimed.filter((each) => each?.history.run.sessionId === agentId);
        expect(own).toHaveLength(1);
        taken.push(own[0]?.history.run.runId);
        for (const each of claimed) await each?.log.ended(DONE);
      }
      expect(taken).toEqual(ids);
      expect(await store.claimNext([agentId])).toBeUndefined();
    });

    it('wait for one that was not queued', async () => {
      const { agentId, ids } = await queued(1);
      const log: RunLog = await place.other.open(newRun({ agentId, sessionId: agentId }));
      expect(await store.claimNext([agentId])).toBeUndefined();
      await log.ended(DONE);
      const claimed = await store.claimNext([agentId]);
      expect(claimed?.history.run.runId).toBe(ids[0]);
      await claimed?.log.ended(DONE);
    });

    it('do not wait for one that waits for people', async () => {
      const { agentId, ids } = await queued(2);
      const first = await store.claimNext([agentId]);
      const step = answerStep(1, ['pay'], [0]);
      await first?.log.answered(step);
      await first?.log.suspended?.(pendingIn(step));
      const second = await store.claimNext([agentId]);
      expect(second?.history.run.runId).toBe(ids[1]);
      await second?.log.ended(DONE);
      expect(await store.cancel(ids[0]!, 'test over')).toBe(true);
    });
  });

  describe('a cancelled run', () => {
    const ended = { status: 'aborted', outcome: { exitReason: 'aborted' } };

    it('ends at once if it is queued', async () => {
      const run = newRun({ agentId: freshAgent() });
      await store.enqueue(run);
      expect(await place.other.cancel(run.runId, 'not needed')).toBe(true);
      expect(await store.find(run.runId)).toMatchObject(ended);
      expect((await store.find(run.runId))?.outcome?.error).toContain('not needed');
      expect(await store.claimNext([run.agentId])).toBeUndefined();
    });

    it('ends at once if it waits for people, and nobody can decide any more', async () => {
      const run = newRun({ agentId: freshAgent() });
      const log: RunLog = await store.open(run);
      const step = answerStep(1, ['pay'], [0]);
      await log.answered(step);
      await log.suspended?.(pendingIn(step));
      expect(await place.other.cancel(run.runId, 'changed our mind')).toBe(true);
      expect(await store.find(run.runId)).toMatchObject({ ...ended, outcome: { turnsUsed: 1 } });
      const decision = { toolCallId: step.calls[0]!.toolCallId, decision: 'approve' } as const;
      await expect(later(() => store.decide(run.runId, 'a'.repeat(64), decision))).rejects.toThrow(run.runId);
      expect(await store.claim(run.runId)).toBeUndefined();
    });

    it('is none that has ended, or is unknown', async () => {
      const run = newRun({ agentId: freshAgent() });
      await (await store.open(run)).ended(DONE);
      expect(await store.cancel(run.runId, 'late')).toBe(false);
      expect(await store.cancel('nobody', 'late')).toBe(false);
      expect(await store.find(run.runId)).toMatchObject({ status: 'completed' });
    });
  });
}
