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
