import {
  OperatorContext,
  type DurableRunStore,
  type NewRun,
  type PendingApproval,
  type RecoveredRun,
} from '@nestor/core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { answerStep, DONE, later, newRun, pendingIn, pendingOf } from '../support/run-steps.js';
import { calls, scriptedAgent } from '../support/scripted-agent.js';
import type { RunPlace } from './durable-run-store.contract.js';

const LIMIT = { timeout: 20_000, interval: 10 };
const HASH = 'a'.repeat(64);

const toolTexts = (messages: readonly { role: string; content: string | null }[]): (string | null)[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

/** Questions to people: until when they wait, and what their decisions are bound to. */
export function durableRunApprovalsContract(placeOf: () => RunPlace): void {
  const root = OperatorContext.root();
  let place: RunPlace;
  let store: DurableRunStore;

  beforeAll(() => {
    place = placeOf();
    store = place.store;
  });

  const approve = (runId: string, toolCallId: string, by = store, hash = HASH): Promise<void> =>
    later(() => by.decide(runId, hash, { toolCallId, decision: 'approve' }));
  const decisionOf = async (runId: string, toolCallId: string): Promise<unknown> =>
    (await store.history(runId))?.calls.get(toolCallId)?.approvals.at(-1)?.decision;
  const expired = (runId: string, toolCallId: string): Promise<boolean> =>
    vi.waitUntil(async () => (await decisionOf(runId, toolCallId)) === 'expired', LIMIT);

  describe('a question that expires', () => {
    /** A run that waits, for each of its calls as long as is said. */
    async function waitingRun(...timeouts: readonly (number | undefined)[]): Promise<NewRun> {
      const run = newRun();
      const log = await store.open(run);
      const step = answerStep(
        1,
        timeouts.map(() => 'pay'),
      );
      const asked = step.calls.map((call, n): typeof call & { readonly approval: PendingApproval } => {
        const timeoutMs = timeouts[n];
        return {
          ...call,
          approval: pendingOf(call.toolCallId, 'pay', timeoutMs === undefined ? {} : { timeoutMs }),
        };
      });
      await log.answered({ ...step, calls: asked });
      await log.suspended?.(asked.map(({ approval }) => approval));
      return run;
    }

    it('counts as decided, and frees the run by itself', async () => {
      const { runId } = await waitingRun(1);
      const claimed = await vi.waitUntil(() => place.other.claimNext(), LIMIT);
      expect(claimed.history.run.runId).toBe(runId);
      expect(claimed.history.calls.get('c1_0')).toMatchObject({
        started: false,
        approvals: [{ request: { timeoutMs: 1, expiresAt: expect.any(Number) }, decision: 'expired' }],
      });
      await expect(approve(runId, 'c1_0')).rejects.toMatchObject({ code: 'approval_expired' });
      await claimed.log.ended(DONE);
    });

    it('takes no decision any more, also when nobody has looked yet', async () => {
      const { runId } = await waitingRun(1);
      const codes: unknown[] = [];
      await vi.waitUntil(async () => {
        // About other arguments: in time it is refused for that.
        const decided = approve(runId, 'c1_0', store, 'b'.repeat(64));
        codes.push(await decided.catch(({ code }: { code: string }) => code));
        return codes.at(-1) !== 'approval_changed';
      }, LIMIT);
      expect(codes.at(-1)).toBe('approval_expired');
      await expect(approve(runId, 'c1_0')).rejects.toMatchObject({ code: 'approval_expired' });
      await (await store.claim(runId))?.log.ended(DONE);
    });

    it('leaves the run waiting for the others', async () => {
      const { runId } = await waitingRun(1, undefined, 60_000);
      await expired(runId, 'c1_0');
      expect(await store.claim(runId)).toBeUndefined();
      expect(await place.other.claimNext()).toBeUndefined();
      expect((await store.find(runId))?.status).toBe('suspended');
      await approve(runId, 'c1_2', place.other);
      expect(await place.other.claimNext()).toBeUndefined();
      await approve(runId, 'c1_1');
      const claimed = await place.other.claim(runId);
      const decisions = [...(claimed?.history.calls.values() ?? [])].map(
        ({ approvals }) => approvals[0]?.decision,
      );
      expect(decisions).toMatchObject(['expired', { decision: 'approve' }, { decision: 'approve' }]);
      await claimed?.log.ended(DONE);
    });

    it('frees the run when the last of them does', async () => {
      const { runId } = await waitingRun(1, 40);
      const claimed = await vi.waitUntil(() => place.other.claimNext(), LIMIT);
      expect(claimed.history.run.runId).toBe(runId);
      expect(await decisionOf(runId, 'c1_1')).toBe('expired');
      await claimed.log.ended(DONE);
    });

    it('that is late lets the last decision free the run', async () => {
      const { runId } = await waitingRun(1, undefined);
      await expired(runId, 'c1_0');
      await approve(runId, 'c1_1');
      const claimed = await store.claim(runId);
      expect(claimed?.history.run.runId).toBe(runId);
      await claimed?.log.ended(DONE);
    });

    it('waits until then', async () => {
      const { runId } = await waitingRun(60_000);
      expect(await store.claimNext()).toBeUndefined();
      const [approval] = (await store.history(runId))?.calls.get('c1_0')?.approvals ?? [];
      expect(Math.abs((approval?.request.expiresAt ?? 0) - Date.now() - 60_000)).toBeLessThan(30_000);
      await approve(runId, 'c1_0');
      await (await store.claim(runId))?.log.ended(DONE);
    });

    it('and a decision at the same moment: exactly one of them counts', async () => {
      for (let round = 0; round < 10; round++) {
        const { runId } = await waitingRun(25);
        const expiresAt =
          (await store.history(runId))?.calls.get('c1_0')?.approvals[0]?.request.expiresAt ?? 0;
        await vi.waitUntil(() => Date.now() >= expiresAt - 1, { interval: 1 });
        const codes: string[] = [];
        const press = async (by: DurableRunStore): Promise<void> => {
          for (let code = ''; !/decided|expired|suspended/.test(code); codes.push(code)) {
            code = await approve(runId, 'c1_0', by).then(
              () => 'stored, decided',
              (error: { code: string }) => error.code,
            );
          }
        };
        const claims: RecoveredRun[] = [];
        const take = async (by: DurableRunStore): Promise<boolean> => {
          const claimed = await by.claim(runId);
          if (claimed) claims.push(claimed);
          return claims.length > 0;
        };
        const taking = [store, place.other].map((by) => vi.waitUntil(() => take(by), LIMIT));
        await Promise.all([press(store), press(place.other), ...taking]);
        expect(claims).toHaveLength(1);
        const decision = claims[0]?.history.calls.get('c1_0')?.approvals[0]?.decision;
        const stored = codes.filter((code) => code.startsWith('stored'));
        const counted = decision === 'expired' ? [...stored, decision] : stored;
        expect(counted).toHaveLength(1);
        expect(['expired', { toolCallId: 'c1_0', decision: 'approve' }]).toContainEqual(decision);
        await claims[0]?.log.ended(DONE);
      }
    });

    it('is told to the model, and the tool is not called', async () => {
      const pay = vi.fn();
      const { agent } = scriptedAgent({
        script: [calls(['pay', {}, 'p']), { text: 'done' }],
        tools: { pay },
        metadata: { pay: { approval: true, approvalTimeout: 1 } },
        services: { runs: store },
      });
      const { pendingApprovals } = await agent.execute('go', root);
      expect(pendingApprovals).toMatchObject([{ toolCallId: 'p', reason: 'approval', timeoutMs: 1 }]);
      const output = await agent.recover(await vi.waitUntil(() => place.other.claimNext(), LIMIT), root);
      expect(toolTexts(output.messages)).toEqual([expect.stringMatching(/not_approved.*expired/)]);
      expect(pay).not.toHaveBeenCalled();
    });
  });

  describe('a decision', () => {
    it('B127: is for one call of one run, whatever else is called with the same arguments', async () => {
      const pay = vi.fn();
      const { agent } = scriptedAgent({
        script: () => calls(['pay', { n: 1 }, 'a'], ['pay', { n: 1 }, 'b']),
        tools: { pay },
        metadata: { pay: { approval: true } },
        services: { runs: store },
      });
      const [first, second] = [await agent.execute('go', root), await agent.execute('go', root)];
      const [a, b] = first.pendingApprovals;
      const refused = { code: 'approval_changed' };
      await expect(approve(first.runId, 'b', store, a!.argumentsHash)).rejects.toMatchObject(refused);
      await expect(approve(second.runId, 'a', store, a!.argumentsHash)).rejects.toMatchObject(refused);
      await expect(approve(first.runId, 'a', store, 'NUL \0')).rejects.toMatchObject(refused);
      await approve(first.runId, 'a', store, a!.argumentsHash);
      await expect(approve(first.runId, 'a', store, a!.argumentsHash)).rejects.toMatchObject({
        code: 'approval_decided',
      });
      await approve(first.runId, 'b', store, b!.argumentsHash);
      expect(await store.claim(second.runId)).toBeUndefined();
      await (await store.claim(first.runId))?.log.ended(DONE);
      expect(pay).not.toHaveBeenCalled();
    });
  });

  it('an approved call is recorded as started before it is made', async () => {
    const { agent } = scriptedAgent({
      script: ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'done' } : calls(['pay', {}, 'p']),
      tools: {
        pay: async (_: never, { executionId }: OperatorContext) =>
          (await store.history(executionId))?.calls.get('p')?.started,
      },
      metadata: { pay: { approval: true } },
      services: { runs: store },
    });
    const { runId, pendingApprovals } = await agent.execute('go', root);
    await approve(runId, 'p', store, pendingApprovals[0]!.argumentsHash);
    const output = await agent.recover((await place.other.claim(runId))!, root);
    expect(toolTexts(output.messages)).toEqual(['true']);
  });

  it('edited arguments are those of the call, also when it is repeated after a crash', async () => {
    const pay = vi.fn(() => 'paid');
    const { agent } = scriptedAgent({
      script: ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'done' } : calls(['pay', { n: 1 }, 'p']),
      tools: { pay },
      metadata: { pay: { approval: true, effect: 'idempotent' } },
      services: { runs: store },
    });
    const { runId, pendingApprovals } = await agent.execute('go', root);
    const decision = { toolCallId: 'p', decision: 'approve', arguments: { n: 7 } } as const;
    await later(() => store.decide(runId, pendingApprovals[0]!.argumentsHash, decision));
    const { log } = (await place.other.claim(runId))!;
    await log.toolStarted?.({ ordinal: 0, toolCallId: 'p', toolName: 'pay', idempotencyKey: 'k' });
    await agent.recover({ history: (await store.history(runId))!, log }, root);
    expect(pay).toHaveBeenCalledExactlyOnceWith({ n: 7 }, expect.anything());
  });

  it('a run that was cancelled while it waited takes no decision', async () => {
    const run = newRun();
    const log = await store.open(run);
    const step = answerStep(1, ['pay'], [0]);
    await log.answered(step);
    await log.suspended?.(pendingIn(step));
    expect(await store.cancel(run.runId, 'not wanted any more')).toBe(true);
    await expect(approve(run.runId, 'c1_0')).rejects.toMatchObject({ code: 'run_not_suspended' });
    expect(await decisionOf(run.runId, 'c1_0')).toBeUndefined();
    expect(await store.claim(run.runId)).toBeUndefined();
  });
}
