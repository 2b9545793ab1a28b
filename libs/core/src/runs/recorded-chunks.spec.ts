import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { answerStep, DONE, newRun, pendingIn, resultStep } from '../../../../test/support/run-steps.js';
import type { AgentStreamChunk } from '../loop/agent-stream-chunk.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryDurableRunStore } from './in-memory-durable-run.store.js';
import { recordedChunks } from './recorded-chunks.js';
import { recordedOutput } from './recorded-output.js';
import type { NewRun, RunLog } from './run.store.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);
const root = OperatorContext.root();

/** Keeps the chunks as they are after each write. */
class WatchedStore extends InMemoryDurableRunStore {
  readonly seen: (readonly AgentStreamChunk[])[] = [];

  override open(run: NewRun): RunLog {
    const log = super.open(run);
    const watched =
      <A extends unknown[], R>(write: (...args: A) => R) =>
      (...args: A): R => {
        const written = write(...args);
        const history = this.history(run.runId);
        if (history) this.seen.push(recordedChunks(history));
        return written;
      };
    return {
      ...log,
      answered: watched(log.answered),
      toolCompleted: watched(log.toolCompleted),
      ended: watched(log.ended),
    };
  }
}

const turns = array(array(constantFrom('fast', 'slow', 'fails', 'nowhere'), { minLength: 1, maxLength: 4 }), {
  maxLength: 5,
});

describe('recordedChunks', () => {
  it('only ever grows, and ends as the stream of the run would', async () => {
    await assert(
      asyncProperty(turns, async (script) => {
        const store = new WatchedStore();
        const { agent } = scriptedAgent({
          script: [
            ...script.map((names) => calls(...names.map((name) => [name] as const))),
            { text: 'done' },
          ],
          tools: {
            fast: () => 1,
            slow: () => new Promise((resolve) => setImmediate(resolve, 2)),
            fails: () => {
              throw new Error('no');
            },
          },
          define: (builder) => builder.maxTurns(20).repeatedCallLimit(0),
          services: { runs: store },
        });
        const output = await agent.execute('go', root);
        for (const [index, chunks] of store.seen.entries()) {
          expect(store.seen.at(index + 1)?.slice(0, chunks.length) ?? chunks).toEqual(chunks);
        }
        const last = store.seen.at(-1) ?? [];
        const count = (type: string): number => last.filter((chunk) => chunk.type === type).length;
        expect([count('tool_start'), count('tool_end')]).toEqual([
          script.flat().length,
          script.flat().length,
        ]);
        const history = store.history(output.runId)!;
        expect(recordedOutput(history, store.find(output.runId)!)).toEqual(output);
      }),
      { numRuns },
    );
  });

  it('does not hold back what is known for a call that waits for a person', async () => {
    const store = new InMemoryDurableRunStore();
    const run = newRun();
    const log = store.open(run);
    const step = answerStep(1, ['pay', 'look'], [0]);
    await log.answered(step);
    await log.toolCompleted(resultStep(step, 1));
    const typesNow = (): string[] =>
      recordedChunks(store.history(run.runId)!).map((chunk) =>
        chunk.type === 'tool_start' || chunk.type === 'tool_end'
          ? `${chunk.type} ${chunk.toolName}`
          : chunk.type,
      );
    expect(typesNow()).toEqual(['tool_start look', 'tool_end look']);
    await log.suspended?.(pendingIn(step));
    expect(recordedOutput(store.history(run.runId)!, store.find(run.runId)!)).toMatchObject({
      exitReason: 'suspended',
      messages: run.input,
      pendingApprovals: [{ toolName: 'pay' }],
    });
    const { toolCallId } = step.calls[0]!;
    store.decide(run.runId, 'a'.repeat(64), { toolCallId, decision: 'approve' });
    const claimed = store.claim(run.runId)!;
    await claimed.log.toolStarted?.(step.calls[0]!);
    await claimed.log.toolCompleted(resultStep(step, 0));
    await claimed.log.ended(DONE);
    expect(typesNow()).toEqual(['tool_start look', 'tool_end look', 'tool_start pay', 'tool_end pay']);
  });
});
