import { OperatorContext, type DurableRunStore, type NewRun, type RunLog } from '@nestor/core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { answerStep, later, newRun } from '../support/run-steps.js';
import { calls, scriptedAgent } from '../support/scripted-agent.js';
import type { RunPlace } from './durable-run-store.contract.js';

const LIMIT = { timeout: 20_000, interval: 10 };

const toolTexts = (messages: readonly { role: string; content: string | null }[]): (string | null)[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

/** Calls nobody knows the end of, of which people say whether they may be made again. */
export function durableRunUnknownOutcomeContract(placeOf: () => RunPlace, outlivesProcess: boolean): void {
  const root = OperatorContext.root();
  let place: RunPlace;
  let store: DurableRunStore;

  beforeAll(() => {
    place = placeOf();
    store = place.store;
  });

  const approve = (runId: string, hash: string, by = store): Promise<void> =>
    later(() => by.decide(runId, hash, { toolCallId: 'c1_0', decision: 'approve' }));

  describe('a call nobody knows the end of, with a person to decide', () => {
    const step = answerStep(1, ['send']);

    function sender(approvalTimeout?: number, runs = store, send?: () => Promise<never>) {
      const sent: unknown[] = [];
      const made = scriptedAgent({
        script: ({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'done' } : calls(['send'])),
        tools: { send: send ?? ((input: unknown) => `sent ${sent.push(input)}`) },
        metadata: { send: { onUnknownOutcome: 'suspend', approvalTimeout } },
        services: { runs, settleGraceMs: 100 },
      });
      return { ...made, sent };
    }

    /** A run that ended in the middle of the call. */
    async function interrupted(): Promise<{ readonly runId: string; readonly log: RunLog }> {
      const run = newRun();
      const log = await store.open(run);
      await log.answered(step);
      return { runId: run.runId, log };
    }
    const goOn = async ({ agent }: ReturnType<typeof sender>, runId: string, log: RunLog) =>
      agent.recover({ history: (await store.history(runId))!, log }, root);

    async function asked(made = sender()) {
      const { runId, log } = await interrupted();
      const output = await goOn(made, runId, log);
      expect(output).toMatchObject({
        exitReason: 'suspended',
        pendingApprovals: [
          { toolCallId: 'c1_0', toolName: 'send', reason: 'outcome_unknown', arguments: {} },
        ],
      });
      expect((await store.find(runId))?.status).toBe('suspended');
      expect((await store.history(runId))?.calls.get('c1_0')).toMatchObject({ started: false });
      return { made, runId, hash: output.pendingApprovals[0]!.argumentsHash };
    }

    it('waits, and is made again if it may be, with what the person says', async () => {
      const { made, runId, hash } = await asked();
      expect(await place.other.claim(runId)).toBeUndefined();
      await later(() =>
        store.decide(runId, hash, { toolCallId: 'c1_0', decision: 'approve', arguments: { to: 'ann' } }),
      );
      const output = await made.agent.recover((await place.other.claim(runId))!, root);
      expect(toolTexts(output.messages)).toEqual(['sent 1']);
      expect(made.sent).toEqual([{ to: 'ann' }]);
      expect((await store.find(runId))?.status).toBe('completed');
    });

    it('is not made again if it may not, and the model is told what the person knows', async () => {
      const { made, runId, hash } = await asked();
      const reason = 'it did happen, ticket 17';
      await later(() => store.decide(runId, hash, { toolCallId: 'c1_0', decision: 'reject', reason }));
      const output = await made.agent.recover((await place.other.claim(runId))!, root);
      expect(toolTexts(output.messages)).toEqual([expect.stringMatching(/outcome_unknown.*ticket 17/)]);
      expect(made.sent).toEqual([]);
    });

    it('is left to the model if nobody decides in time', async () => {
      const { made, runId } = await asked(sender(1));
      const claimed = await vi.waitUntil(() => place.other.claimNext(), LIMIT);
      expect(claimed.history.run.runId).toBe(runId);
      const output = await made.agent.recover(claimed, root);
      expect(toolTexts(output.messages)).toEqual([expect.stringMatching(/outcome_unknown.*Find out/)]);
      expect(made.sent).toEqual([]);
    });

    it('is asked about anew when it is interrupted again, and an old decision does not fit', async () => {
      const { made, runId, hash } = await asked();
      await later(() =>
        store.decide(runId, hash, { toolCallId: 'c1_0', decision: 'approve', arguments: { to: 'ann' } }),
      );
      const claimed = (await place.other.claim(runId))!;
      await claimed.log.toolStarted?.(step.calls[0]!);
      const output = await goOn(made, runId, claimed.log);
      expect(output.pendingApprovals).toMatchObject([
        { reason: 'outcome_unknown', arguments: { to: 'ann' } },
      ]);
      await expect(approve(runId, hash)).rejects.toMatchObject({ code: 'approval_changed' });
      expect(await store.claim(runId)).toBeUndefined();
      expect((await store.history(runId))?.calls.get('c1_0')?.approvals).toMatchObject([
        { request: { argumentsHash: hash }, decision: { decision: 'approve' } },
        { request: output.pendingApprovals[0], decision: undefined },
      ]);
      await approve(runId, output.pendingApprovals[0]!.argumentsHash, place.other);
      const again = (await place.other.claim(runId))!;
      await again.log.toolStarted?.(step.calls[0]!);
      const third = (await goOn(made, runId, again.log)).pendingApprovals[0]!;
      // The same question about the same arguments, and yet another one.
      const refused = approve(runId, output.pendingApprovals[0]!.argumentsHash);
      await expect(refused).rejects.toMatchObject({ code: 'approval_changed' });
      await approve(runId, third.argumentsHash);
      await made.agent.recover((await store.claim(runId))!, root);
      // As it was edited the first time.
      expect(made.sent).toEqual([{ to: 'ann' }]);
    });

    // A store in memory dies with its process: there is nothing to go on from.
    if (!outlivesProcess) return;

    it('waits in any process after the one that made it has died', async () => {
      const dying = await place.startProcess!();
      const first = sender(undefined, dying.store, async () => {
        await dying.kill();
        throw new Error('This process is no more.');
      });
      const { runId } = (await first.agent.execute('go', root).catch((error: unknown) => error)) as NewRun;
      // Not before its lease has run out.
      const taken = await vi.waitUntil(() => place.other.claim(runId), LIMIT);
      const second = sender(undefined, place.other);
      const { pendingApprovals } = await second.agent.recover(taken, root);
      expect(pendingApprovals).toMatchObject([{ reason: 'outcome_unknown' }]);
      const { toolCallId, argumentsHash } = pendingApprovals[0]!;
      await later(() => store.decide(runId, argumentsHash, { toolCallId, decision: 'approve' }));
      const third = sender();
      const output = await third.agent.recover((await store.claim(runId))!, root);
      expect([output.exitReason, second.sent, third.sent]).toEqual(['stop', [], [{}]]);
    });
  });
}
