import { array, assert, asyncProperty, boolean, constantFrom, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calls, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import type { AgentOutput } from '../definition/agent-output.js';
import type { LlmRequest } from '../llm/llm.provider.js';
import type { ScriptedStep } from '../llm/scripted.provider.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryDurableRunStore } from '../runs/in-memory-durable-run.store.js';
import type { NewRun, RunLog } from '../runs/run.store.js';
import type { RecordedCall, RunHistory } from '../runs/run-history.js';

const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const root = OperatorContext.root();

/** Keeps a copy of the history after every write, as it would be found after a crash at that moment. */
class SnapshotStore extends InMemoryDurableRunStore {
  readonly snapshots: RunHistory[] = [];

  override open(run: NewRun): RunLog {
    const log = super.open(run);
    const noting =
      <A>(write: (step: A) => void | Promise<void>) =>
      (step: A): void | Promise<void> => {
        const written = write(step);
        const history = this.history(run.runId);
        if (history) this.snapshots.push(history);
        return written;
      };
    return { ...log, answered: noting(log.answered), toolCompleted: noting(log.toolCompleted) };
  }
}

type Effects = Readonly<Record<'keyed' | 'once', string[]>>;

const freshLog = (): RunLog => ({ answered() {}, toolCompleted() {}, ended() {} });

function agentWith(script: (request: LlmRequest) => ScriptedStep, store: SnapshotStore | undefined) {
  const effects: Effects = { keyed: [], once: [] };
  const made = scriptedAgent({
    script,
    tools: {
      pure: ({ n }: { n: number }) => n + 1,
      keyed: (_: never, { idempotencyKey }: OperatorContext) => {
        effects.keyed.push(idempotencyKey ?? '');
        return `kept ${effects.keyed.length > 0}`;
      },
      once: (_: never, { idempotencyKey }: OperatorContext) => {
        effects.once.push(idempotencyKey ?? '');
        return 'sent';
      },
    },
    metadata: { pure: { effect: 'pure' }, keyed: { effect: 'idempotent' } },
    define: (builder) => builder.maxTurns(20).repeatedCallLimit(0),
    ...(store && { services: { runs: store } }),
  });
  return { ...made, effects };
}

/** The model as a function of the conversation: whoever goes on with a run gets the same answers. */
function modelOf(turns: readonly (readonly string[])[]) {
  return ({ messages }: LlmRequest): ScriptedStep => {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const tools = turns[turn];
    if (!tools) return { text: 'done' };
    return calls(...tools.map((name, index) => [name, { n: index }, `c${turn}_${index}`] as const));
  };
}

const told = ({ messages, exitReason }: AgentOutput) => [
  exitReason,
  messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]),
];

describe('a run that goes on after a crash', () => {
  it('B115: runs no tool again that has a result, and tells of those it cannot know', async () => {
    const store = new SnapshotStore();
    const model = modelOf([['once', 'keyed', 'pure']]);
    const first = agentWith(model, store);
    await first.agent.execute('go', root, { runId: 'r' });
    const [afterAnswer] = store.snapshots;
    const second = agentWith(model, undefined);
    const output = await second.agent.recover({ history: afterAnswer!, log: freshLog() }, root);
    const results = output.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    expect(results).toEqual([expect.stringContaining('outcome_unknown'), 'kept true', '3']);
    expect(second.effects).toEqual({ keyed: ['r:1:1'], once: [] });
    expect(second.provider.requests).toHaveLength(1);
  });

  it('property: every prefix of its steps leads to the same end', async () => {
    const turns = array(array(constantFrom('pure', 'keyed'), { minLength: 1, maxLength: 3 }), {
      maxLength: 4,
    });
    await assert(
      asyncProperty(turns, async (tools) => {
        const store = new SnapshotStore();
        const model = modelOf(tools);
        const whole = await agentWith(model, store).agent.execute('go', root, { runId: 'r' });
        for (const history of store.snapshots) {
          const later = agentWith(model, undefined);
          const output = await later.agent.recover({ history, log: freshLog() }, root);
          expect(told(output)).toEqual(told(whole));
          expect(output.turnsUsed).toBe(whole.turnsUsed);
          expect(later.provider.requests).toHaveLength(whole.turnsUsed - history.answers.length);
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('property: what may happen only once never happens twice', async () => {
    const scenario = record({
      turns: array(array(constantFrom('once', 'pure', 'keyed'), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 3,
      }),
      lost: boolean(),
    });
    await assert(
      asyncProperty(scenario, async ({ turns, lost }) => {
        const store = new SnapshotStore();
        const model = modelOf(turns);
        const first = agentWith(model, store);
        await first.agent.execute('go', root, { runId: 'r' });
        for (const snapshot of store.snapshots) {
          const history = lost ? withoutResults(snapshot) : snapshot;
          const later = agentWith(model, undefined);
          await later.agent.recover({ history, log: freshLog() }, root);
          const answered = history.answers.flatMap((step) => step.calls.map((call) => call.idempotencyKey));
          expect(later.effects.once.filter((key) => answered.includes(key))).toEqual([]);
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });
});

/** As if the process had died before any result of the last turn was committed. */
function withoutResults(history: RunHistory): RunHistory {
  const last = new Set(history.answers.at(-1)?.calls.map(({ toolCallId }) => toolCallId));
  const kept = [...history.calls].map(([id, call]): [string, RecordedCall] => [
    id,
    last.has(id) ? { ...call, result: undefined } : call,
  ]);
  return { ...history, calls: new Map(kept) };
}
