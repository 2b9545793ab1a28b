import type { AnswerStep, ApprovalDecision, DurableRunStore, NewRun, RunLog } from '@nestor/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerStep, DONE, later, newRun, pendingIn, pendingOf, resultStep } from '../support/run-steps.js';
import type { RunPlace } from './durable-run-store.contract.js';

/** Who may write a run, and who decides about its calls. */
export function durableRunOwnersContract(placeOf: () => RunPlace): void {
  let place: RunPlace;
  let store: DurableRunStore;

  beforeAll(() => {
    place = placeOf();
    store = place.store;
  });

  /** A run whose calls wait for people. */
  async function waitingRun(calls: number): Promise<{ run: NewRun; log: RunLog; step: AnswerStep }> {
    const run = newRun();
    const log = await store.open(run);
    const step = answerStep(
      1,
      Array.from({ length: calls }, () => 'pay'),
      Array.from({ length: calls }, (_, n) => n),
    );
    await log.answered(step);
    await log.suspended?.(pendingIn(step));
    return { run, log, step };
  }
  const decide = (
    runId: string,
    decision: ApprovalDecision,
    hash = 'a'.repeat(64),
    by = store,
  ): Promise<void> => later(() => by.decide(runId, hash, decision));
  const approve = (toolCallId: string): ApprovalDecision => ({ toolCallId, decision: 'approve' });

  describe('ownership', () => {
    it('is given for what waits for nobody, to one taker, once', async () => {
      const { run, step } = await waitingRun(1);
      expect(await store.claim(run.runId)).toBeUndefined();
      await decide(run.runId, approve(step.calls[0]!.toolCallId));
      const takers = Array.from({ length: 8 }, (_, n) => (n % 2 ? store : place.other));
      const claims = await Promise.all(takers.map((taker) => later(() => taker.claim(run.runId))));
      const taken = claims.filter((claim) => claim !== undefined);
      expect(taken).toHaveLength(1);
      expect((await store.find(run.runId))?.status).toBe('running');
      await taken[0]!.log.ended(DONE);
      expect(await store.claim(run.runId)).toBeUndefined();
    });

    it('is not given for what is unknown, under way or has ended', async () => {
      const run = newRun();
      const log = await store.open(run);
      expect(await place.other.claim(run.runId)).toBeUndefined();
      await log.ended(DONE);
      expect(await place.other.claim(run.runId)).toBeUndefined();
      expect(await place.other.claim('nobody')).toBeUndefined();
    });

    it('claimNext finds what can be taken', async () => {
      expect(await store.claimNext()).toBeUndefined();
      const { run, step } = await waitingRun(1);
      expect(await place.other.claimNext()).toBeUndefined();
      await decide(run.runId, approve(step.calls[0]!.toolCallId));
      const claimed = await place.other.claimNext();
      expect(claimed?.history.run.runId).toBe(run.runId);
      expect(await store.claimNext()).toBeUndefined();
      await claimed?.log.ended(DONE);
    });

    it('lets the holder before write nothing more', async () => {
      const run = newRun();
      const old = await store.open(run);
      const step = answerStep(1, ['pay', 'find'], [0]);
      await old.answered(step);
      await old.suspended?.(pendingIn(step));
      await decide(run.runId, approve('c1_0'));
      const claimed = await place.other.claim(run.runId);
      const before = await store.history(run.runId);
      const attempts = [
        () => old.answered(answerStep(2, ['find'])),
        () => old.toolStarted?.(step.calls[0]!),
        () => old.toolCompleted(resultStep(step, 1)),
        () => old.suspended?.([pendingOf('c1_1')]),
        () => old.ended(DONE),
      ];
      for (const attempt of attempts)
        await expect(later(attempt)).rejects.toMatchObject({ code: 'lease_lost' });
      expect(await store.history(run.runId)).toEqual(before);
      expect((await store.find(run.runId))?.status).toBe('running');
      await claimed?.log.toolCompleted(resultStep(step, 1, { text: 'new' }));
      expect((await store.history(run.runId))?.calls.get('c1_1')?.result?.text).toBe('new');
      await claimed?.log.ended(DONE);
    });
  });

  describe('decisions', () => {
    it('B127, B129: must fit what was asked', async () => {
      const { run, step } = await waitingRun(2);
      const refused = async (code: string, runId: string, id: string, hash?: string): Promise<void> =>
        expect(decide(runId, approve(id), hash)).rejects.toMatchObject({ code });
      await refused('approval_unknown', run.runId, 'c9_9');
      await refused('approval_unknown', run.runId, 'C1_0');
      await refused('approval_unknown', 'other \0', 'c1_0');
      await refused('approval_changed', run.runId, 'c1_0', 'b'.repeat(64));
      expect((await store.history(run.runId))?.calls.get('c1_0')?.approvals).toEqual([
        { request: pendingOf('c1_0'), decision: undefined },
      ]);
      await decide(run.runId, approve('c1_0'));
      await refused('approval_decided', run.runId, 'c1_0');
      await refused('approval_decided', run.runId, 'c1_0', 'b'.repeat(64));
      await decide(run.runId, { toolCallId: 'c1_1', decision: 'reject', reason: 'too \0 much?' });
      const history = await store.history(run.runId);
      expect(history?.answers).toEqual([step]);
      expect(history?.calls.get('c1_0')).toMatchObject({
        started: false,
        approvals: [{ decision: approve('c1_0') }],
      });
      expect(history?.calls.get('c1_1')?.approvals).toMatchObject([
        { decision: { decision: 'reject', reason: expect.stringContaining('much?') } },
      ]);
      await refused('approval_decided', run.runId, 'c1_1');
      await (await store.claim(run.runId))?.log.ended(DONE);
    });

    it('keep edited arguments, and who decided', async () => {
      const { run } = await waitingRun(1);
      const decision: ApprovalDecision = {
        ...approve('c1_0'),
        arguments: { n: 7, s: '\0 ?' },
        decidedBy: { user: 'ann' },
      };
      await decide(run.runId, decision);
      const claimed = await store.claim(run.runId);
      expect(claimed?.history.calls.get('c1_0')?.approvals[0]?.decision).toEqual(decision);
      await claimed?.log.ended(DONE);
    });

    it('win once, however many come at the same time', async () => {
      const { run } = await waitingRun(1);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, n) =>
          decide(
            run.runId,
            { toolCallId: 'c1_0', decision: n % 2 ? 'approve' : 'reject' },
            undefined,
            n < 3 ? store : place.other,
          ),
        ),
      );
      const codes = outcomes.map((outcome) =>
        outcome.status === 'rejected' ? outcome.reason.code : 'stored',
      );
      expect(codes.filter((code) => code === 'stored')).toHaveLength(1);
      expect(codes.filter((code) => code === 'approval_decided')).toHaveLength(5);
      await (await store.claim(run.runId))?.log.ended(DONE);
    });

    it('free the run also when its last two are made at the same time', async () => {
      for (let round = 0; round < 5; round++) {
        const { run } = await waitingRun(2);
        await Promise.all([
          decide(run.runId, approve('c1_0')),
          decide(run.runId, approve('c1_1'), undefined, place.other),
        ]);
        const claimed = await place.other.claim(run.runId);
        expect(claimed?.history.run.runId).toBe(run.runId);
        await claimed?.log.ended(DONE);
      }
    });
  });
}
