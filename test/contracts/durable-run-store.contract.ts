import {
  OperatorContext,
  type AnswerStep,
  type DurableRunStore,
  type NewRun,
  type RunLog,
} from '@nestor/core';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerStep, DONE, newRun, resultStep } from '../support/run-steps.js';
import { durableRunApprovalsContract } from './durable-run-approvals.contract.js';
import { durableRunEngineContract } from './durable-run-engine.contract.js';
import { durableRunOwnersContract } from './durable-run-owners.contract.js';
import { durableRunUnknownOutcomeContract } from './durable-run-unknown-outcome.contract.js';
import { durableRunQueueContract } from './durable-run-queue.contract.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

/** A process that can end in the middle of a run. */
export interface MortalProcess {
  readonly store: DurableRunStore;
  /** From then on nothing it does reaches the place. */
  kill(): Promise<void>;
}

/** One place where runs are kept. */
export interface RunPlace {
  readonly store: DurableRunStore;
  /** The store of another process, as far as one can be had. */
  readonly other: DurableRunStore;
  /** Absent where runs end with the process. */
  startProcess?(): Promise<MortalProcess>;
  close(): Promise<void>;
}

/** What every durable run store does, whatever it keeps the runs in. */
export function durableRunStoreContract(
  open: () => Promise<RunPlace>,
  { outlivesProcess }: { readonly outlivesProcess: boolean },
): void {
  let place: RunPlace;
  let store: DurableRunStore;

  beforeAll(async () => {
    place = await open();
    store = place.store;
  }, 60_000);
  afterAll(() => place.close());

  describe('steps', () => {
    it('are given back in the order of the turns, results by their calls', async () => {
      const run = newRun({ sessionId: 'Sé 1', ctx: { tenant: 7 }, caller: { user: 'ann' } });
      const log = await store.open(run);
      const first = answerStep(1, ['find', 'send', 'add']);
      const second = answerStep(2, ['find']);
      await log.answered(first);
      for (const ordinal of [2, 0, 1])
        await log.toolCompleted(resultStep(first, ordinal, { text: `r${ordinal}` }));
      await log.answered(second);
      const history = await store.history(run.runId);
      expect(history?.run).toEqual(run);
      expect(history?.answers).toEqual([first, second]);
      expect(
        [...(history?.calls ?? [])].map(([id, { started, result }]) => [id, started, result?.text]),
      ).toEqual([
        ['c1_0', true, 'r0'],
        ['c1_1', true, 'r1'],
        ['c1_2', true, 'r2'],
        ['c2_0', true, undefined],
      ]);
      await log.ended(DONE);
    });

    it('tell of each call whether it was started, or left unmade', async () => {
      const run = newRun();
      const log: RunLog = await store.open(run);
      const step = answerStep(1, ['send', 'send', 'pay'], [2]);
      const [sent, left, asked] = step.calls;
      await log.answered(step);
      await log.toolNotMade?.(left!);
      const started = async () => {
        const calls = (await store.history(run.runId))?.calls;
        return [sent, left, asked].map((call) => calls?.get(call!.toolCallId)?.started);
      };
      expect(await started()).toEqual([true, false, false]);
      await log.toolStarted?.(left!);
      await log.toolStarted?.(asked!);
      expect(await started()).toEqual([true, true, true]);
      await log.ended(DONE);
    });

    it('keep every character and every form of a result', async () => {
      const run = newRun({
        input: [{ role: 'user', content: 'NUL \0, half a pair \ud83d, "quotes" \\ and ?' }],
      });
      const log = await store.open(run);
      const step = answerStep(1, ['tool \0 \ud800?', 'x'.repeat(400), 'Ä']);
      await log.answered(step);
      const results = [
        { n: [1, null, { deep: '\0' }] },
        'y'.repeat(300_000),
        { error: { code: 'failed', message: '?' } },
      ];
      await Promise.all(
        results.map((result, ordinal) =>
          log.toolCompleted(resultStep(step, ordinal, { result, success: ordinal < 2 })),
        ),
      );
      const history = await store.history(run.runId);
      expect(history?.run.input).toEqual(run.input);
      expect(history?.answers).toEqual([step]);
      expect([...(history?.calls.values() ?? [])].map(({ result }) => result?.result)).toEqual(results);
      await log.ended(DONE);
    });

    it('are what was written, whatever was written', async () => {
      const turns = fc.array(
        fc.array(
          fc.record({
            text: fc.string({ unit: 'binary', maxLength: 6 }),
            done: fc.boolean(),
            waits: fc.boolean(),
          }),
          {
            maxLength: 4,
          },
        ),
        { maxLength: 4 },
      );
      await fc.assert(
        fc.asyncProperty(turns, async (script) => {
          const run = newRun();
          const log = await store.open(run);
          const answers: AnswerStep[] = [];
          const results: (string | undefined)[] = [];
          const started: boolean[] = [];
          for (const [index, calls] of script.entries()) {
            const waiting = [...calls.keys()].filter((n) => calls[n]!.waits);
            const step = answerStep(
              index + 1,
              calls.map(({ text }) => text),
              waiting,
            );
            answers.push(step);
            await log.answered(step);
            for (const [ordinal, { text, done, waits }] of calls.entries()) {
              if (done && waits) await log.toolStarted?.(step.calls[ordinal]!);
              if (done) await log.toolCompleted(resultStep(step, ordinal, { text, result: text }));
              results.push(done ? text : undefined);
              started.push(done || !waits);
            }
          }
          const history = await store.history(run.runId);
          expect(history?.answers).toEqual(answers);
          const kept = [...(history?.calls.values() ?? [])];
          expect(kept.map(({ result }) => result?.text)).toEqual(results);
          expect(kept.map((call) => call.started)).toEqual(started);
          await log.ended(DONE);
        }),
        { numRuns: RUNS },
      );
    }, 180_000);
  });

  describe('summaries', () => {
    it('tell how a run stands and how it ended', async () => {
      const run = newRun({ sessionId: 's', agentId: 'support' });
      const log = await store.open(run);
      const running = await store.find(run.runId);
      expect(running).toMatchObject({
        runId: run.runId,
        agentId: 'support',
        sessionId: 's',
        status: 'running',
      });
      expect(running?.outcome).toBeUndefined();
      expect(Math.abs((running?.startedAt ?? 0) - Date.now())).toBeLessThan(60_000);
      await log.ended(DONE);
      const ended = await store.find(run.runId);
      expect(ended).toMatchObject({ status: 'completed', outcome: DONE });
      expect(ended?.endedAt).toBeGreaterThanOrEqual(ended?.startedAt ?? Infinity);
      expect(await store.find('nobody')).toBeUndefined();
      expect(await store.find('a\0b')).toBeUndefined();
      expect(await store.history('nobody')).toBeUndefined();
    });

    it.each([
      [{ ...DONE, exitReason: 'error', error: 'NUL \0 and ż' } as const, 'failed'],
      [{ ...DONE, exitReason: 'aborted', error: 'x' } as const, 'aborted'],
    ])('%j is %s', async (outcome, status) => {
      const run = newRun();
      const log = await store.open(run);
      await log.ended(outcome);
      expect((await store.find(run.runId))?.status).toBe(status);
    });

    it('are listed newest first', async () => {
      const runs: NewRun[] = [];
      // Until the clock has moved on: two starts within one millisecond have no order.
      for (let last = 0; runs.length < 3;) {
        const run = newRun();
        await (await store.open(run)).ended(DONE);
        const startedAt = (await store.find(run.runId))?.startedAt ?? 0;
        if (startedAt > last) runs.push(run);
        last = startedAt;
      }
      const wanted = runs.map(({ runId }) => runId).toReversed();
      const listed = (await store.list({ limit: 1_000 })).map(({ runId }) => runId);
      expect(listed.filter((id) => wanted.includes(id))).toEqual(wanted);
      expect(await store.list({ limit: 2 })).toHaveLength(2);
    });
  });

  durableRunOwnersContract(() => place);
  durableRunQueueContract(() => place);
  durableRunApprovalsContract(() => place);
  durableRunUnknownOutcomeContract(() => place, outlivesProcess);
  durableRunEngineContract(() => place, OperatorContext.root(), outlivesProcess);
}
