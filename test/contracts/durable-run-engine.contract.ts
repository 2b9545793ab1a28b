import type { LlmRequest, OperatorContext, RecoveredRun, ScriptedStep } from '@nestor/core';
import { describe, expect, it, vi } from 'vitest';
import { calls, scriptedAgent, type ScriptedAgentOptions } from '../support/scripted-agent.js';
import type { RunPlace } from './durable-run-store.contract.js';

const done = { text: 'done' };
const LIMIT = { timeout: 20_000, interval: 20 };

const toolTexts = (messages: readonly { role: string; content: string | null }[]): (string | null)[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

/** The model as a function of the conversation: whoever goes on with a run gets the same answers. */
const modelOf =
  (...turns: readonly ScriptedStep[]) =>
  ({ messages }: LlmRequest): ScriptedStep =>
    turns[messages.filter(({ role }) => role === 'assistant').length] ?? done;

/** What the loop makes of a store: runs that wait for people, and runs whose process dies. */
export function durableRunEngineContract(
  placeOf: () => RunPlace,
  root: OperatorContext,
  outlivesProcess: boolean,
): void {
  function payingAgent(script: ScriptedAgentOptions['script']) {
    const { store } = placeOf();
    const pay = vi.fn(({ n }: { n: number }) => `paid ${n}`);
    const weather = vi.fn(() => 'sunny');
    const approval = vi.fn(() => true);
    const made = scriptedAgent({
      script,
      tools: { pay, weather },
      metadata: { pay: { approval } },
      services: { runs: store },
    });
    return { ...made, store, pay, weather, approval };
  }

  describe('a tool that needs a person', () => {
    it('B117: waits, while the others of its turn run once', async () => {
      const made = payingAgent([calls(['weather', {}, 'w'], ['pay', { n: 5 }, 'p']), done]);
      const { runId, pendingApprovals, exitReason } = await made.agent.execute('go', root);
      expect(exitReason).toBe('suspended');
      expect((await made.store.find(runId))?.status).toBe('suspended');
      await made.store.decide(runId, pendingApprovals[0]!.argumentsHash, {
        toolCallId: 'p',
        decision: 'approve',
      });
      const output = await made.agent.recover((await placeOf().other.claim(runId))!, root);
      expect(output).toMatchObject({ content: 'done', exitReason: 'stop', runId, turnsUsed: 2 });
      expect(toolTexts(output.messages)).toEqual(['sunny', 'paid 5']);
      expect(made.weather).toHaveBeenCalledTimes(1);
      expect(made.pay).toHaveBeenCalledTimes(1);
      expect(await made.store.find(runId)).toMatchObject({ status: 'completed', outcome: { turnsUsed: 2 } });
    });

    it('B119: all that wait are asked about', async () => {
      const made = payingAgent([
        calls(['pay', { n: 1 }, 'a'], ['pay', { n: 2 }, 'b'], ['pay', { n: 3 }, 'c']),
        done,
      ]);
      const { runId, pendingApprovals } = await made.agent.execute('go', root);
      expect(pendingApprovals.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b', 'c']);
      for (const { toolCallId, argumentsHash } of pendingApprovals) {
        expect(await made.store.claim(runId)).toBeUndefined();
        await made.store.decide(runId, argumentsHash, { toolCallId, decision: 'approve' });
      }
      const output = await made.agent.recover((await made.store.claim(runId))!, root);
      expect(toolTexts(output.messages)).toEqual(['paid 1', 'paid 2', 'paid 3']);
    });

    it('B123: is asked about once, and a rejection’s reason reaches the model', async () => {
      const made = payingAgent([calls(['pay', { n: 1 }, 'a'], ['pay', { n: 9 }, 'b']), done]);
      const { runId, pendingApprovals } = await made.agent.execute('go', root);
      const [a, b] = pendingApprovals;
      await made.store.decide(runId, a!.argumentsHash, { toolCallId: 'a', decision: 'approve' });
      await made.store.decide(runId, b!.argumentsHash, {
        toolCallId: 'b',
        decision: 'reject',
        reason: 'too much',
      });
      const output = await made.agent.recover((await placeOf().other.claim(runId))!, root);
      expect(toolTexts(output.messages)).toEqual(['paid 1', expect.stringMatching(/not_approved.*too much/)]);
      expect(made.approval).toHaveBeenCalledTimes(2);
      expect(await made.store.claim(runId)).toBeUndefined();
    });
  });

  // A store in memory dies with its process: there is nothing to go on from.
  if (!outlivesProcess) return;

  describe('a run whose process dies', () => {
    type Effects = { readonly keyed: string[]; readonly once: string[]; readonly pure: number[] };

    /** An agent of one process; `dieIn` is the tool during which that process ends. */
    function worker(runs: RunPlace['store'], effects: Effects, dieIn?: string, die?: () => Promise<void>) {
      const perhapsDie = async (tool: string): Promise<void> => {
        if (tool !== dieIn) return;
        await die?.();
        throw new Error('This process is no more.');
      };
      return scriptedAgent({
        script: modelOf(calls(['keyed'], ['pure', { n: 1 }]), calls(['once'], ['pure', { n: 2 }], ['keyed'])),
        tools: {
          keyed: async (_: never, { idempotencyKey }: OperatorContext) => {
            effects.keyed.push(idempotencyKey ?? '');
            await perhapsDie('keyed');
            return 'kept';
          },
          once: async (_: never, { idempotencyKey }: OperatorContext) => {
            effects.once.push(idempotencyKey ?? '');
            await perhapsDie('once');
            return 'sent';
          },
          pure: ({ n }: { n: number }) => effects.pure.push(n),
        },
        metadata: { keyed: { effect: 'idempotent' }, pure: { effect: 'pure' } },
        define: (builder) => builder.repeatedCallLimit(0).maxToolConcurrency(1),
        services: { runs, settleGraceMs: 100 },
      });
    }

    async function crashed(
      dieIn: string,
    ): Promise<{ runId: string; effects: Effects; recovered: RecoveredRun }> {
      const { startProcess, other } = placeOf();
      const dying = await startProcess!();
      const effects: Effects = { keyed: [], once: [], pure: [] };
      const first = worker(dying.store, effects, dieIn, () => dying.kill());
      const failure = await first.agent.execute('go', root).catch((error: unknown) => error);
      const { runId } = failure as { runId: string };
      expect(await other.find(runId)).toMatchObject({ status: 'running' });
      // Not before its lease has run out.
      const recovered = await vi.waitUntil(async () => other.claim(runId), LIMIT);
      return { runId, effects, recovered };
    }

    it('goes on elsewhere: what has a result is not called again, what may be repeated is, with its key', async () => {
      const { runId, effects, recovered } = await crashed('keyed');
      const later = worker(placeOf().other, effects);
      const output = await later.agent.recover(recovered, root);
      expect(output).toMatchObject({ exitReason: 'stop', turnsUsed: 3, runId });
      expect(effects.keyed).toEqual([`${runId}:1:0`, `${runId}:1:0`, `${runId}:2:2`]);
      expect(effects.once).toEqual([`${runId}:2:0`]);
      expect(toolTexts(output.messages)).toEqual([
        'kept',
        expect.any(String),
        'sent',
        expect.any(String),
        'kept',
      ]);
      expect(later.provider.requests).toHaveLength(2);
      expect(await placeOf().other.find(runId)).toMatchObject({ status: 'completed' });
    });

    it('never calls again what may happen once only', async () => {
      const { runId, effects, recovered } = await crashed('once');
      const later = worker(placeOf().other, effects);
      const output = await later.agent.recover(recovered, root);
      expect(effects.once).toEqual([`${runId}:2:0`]);
      expect(effects.keyed).toEqual([`${runId}:1:0`, `${runId}:2:2`]);
      expect(effects.pure).toEqual([1, 2]);
      expect(toolTexts(output.messages)[2]).toMatch(/outcome_unknown/);
      expect(later.provider.requests).toHaveLength(1);
    });
  });
}
