import { array, assert, asyncProperty, constantFrom } from 'fast-check';
import { expect, it } from 'vitest';
import { calls, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import type { AgentOutput } from '../definition/agent-output.js';
import type { LlmRequest } from '../llm/llm.provider.js';
import type { ScriptedStep } from '../llm/scripted.provider.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { OperatorContext } from '../operators/operator.context.js';
import type { RunLog } from '../runs/run.store.js';
import type { RecordedCall, RunHistory } from '../runs/run-history.js';
import { InMemoryConversationStore } from '../sessions/in-memory-conversation.store.js';

const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const context = OperatorContext.root({ sessionId: 's' });
const INPUT: readonly LlmMessage[] = [{ role: 'user', content: 'go' }];
const EARLIER: readonly LlmMessage[] = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hello' },
];
const NEW: RunHistory = {
  run: { runId: 'r', agentId: 'agent', sessionId: 's', input: INPUT },
  answers: [],
  calls: new Map(),
};

/** What a process leaves that dies at some moment: the steps, and what the session got of them. */
interface Left {
  readonly history: RunHistory;
  readonly appended: readonly LlmMessage[];
}

/** Sessions that tell what the run has added. */
class Sessions extends InMemoryConversationStore {
  appended: readonly LlmMessage[];
  readonly #onAppend: () => void;

  constructor(appended: readonly LlmMessage[], onAppend: () => void) {
    super();
    super.append('s', EARLIER, 0, 'earlier');
    if (appended.length > 0) super.append('s', appended, 1, 'r');
    this.appended = appended;
    this.#onAppend = onAppend;
  }

  override append(id: string, messages: readonly LlmMessage[], version: number, runId?: string): number {
    const next = super.append(id, messages, version, runId);
    this.appended = messages;
    this.#onAppend();
    return next;
  }
}

/** The model as a function of the conversation since the question. */
function modelOf(turns: readonly (readonly string[])[]) {
  return ({ messages }: LlmRequest): ScriptedStep => {
    const start = messages.findLastIndex(({ role }) => role === 'user');
    const turn = messages.slice(start).filter(({ role }) => role === 'assistant').length;
    const tools = turns[turn];
    if (!tools) return { text: 'done' };
    return calls(...tools.map((name, index) => [name, { n: index }, `c${turn}_${index}`] as const));
  };
}

/** Goes on from what was left to the end; people approve or reject at once. */
async function carry(turns: readonly (readonly string[])[], { history: start, appended }: Left) {
  let history = start;
  const lefts: Left[] = [];
  const leave = (): void => void lefts.push({ history, appended: sessions.appended });
  const sessions = new Sessions(appended, leave);
  const paid: string[] = [];
  const { agent, provider } = scriptedAgent({
    script: modelOf(turns),
    tools: {
      pure: ({ n }: { n: number }) => n + 1,
      pay: (_: never, { idempotencyKey = '' }: OperatorContext) => {
        paid.push(idempotencyKey);
        return 'paid';
      },
      refuse: () => expect.unreachable('nobody approved this'),
    },
    metadata: {
      pure: { effect: 'pure' },
      pay: { approval: true, effect: 'idempotent' },
      refuse: { approval: true },
    },
    define: (builder) => builder.maxTurns(20).repeatedCallLimit(0),
    services: { sessions },
  });
  const change = (id: string, changed: Partial<RecordedCall>): void => {
    const known = history.calls.get(id) ?? { started: false, result: undefined, approvals: [] };
    history = { ...history, calls: new Map([...history.calls, [id, { ...known, ...changed }]]) };
  };
  const log: RunLog = {
    answered: (step) => {
      history = { ...history, answers: [...history.answers, step] };
      for (const { toolCallId, approval } of step.calls) change(toolCallId, { started: !approval });
      leave();
    },
    toolStarted: ({ toolCallId }) => {
      change(toolCallId, { started: true });
      leave();
    },
    toolCompleted: (step) => {
      change(step.toolCallId, { result: step });
      leave();
    },
    suspended: (pending) => {
      for (const request of pending)
        change(request.toolCallId, { approvals: [{ request, decision: undefined }] });
      leave();
    },
    ended: leave,
  };
  const decide = (): void => {
    for (const [toolCallId, { approvals }] of history.calls) {
      const last = approvals.at(-1);
      if (!last || last.decision) continue;
      const approve = last.request.toolName === 'pay';
      const decision = { toolCallId, decision: approve ? 'approve' : 'reject' } as const;
      change(toolCallId, { approvals: [{ ...last, decision }] });
      leave();
    }
  };
  let output: AgentOutput;
  do {
    decide();
    output = await agent.recover({ history, log }, context);
  } while (output.exitReason === 'suspended');
  const { messages: transcript } = sessions.load('s');
  return { output, transcript, lefts, paid, asked: provider.requests.length };
}

const told = ({ messages, exitReason, turnsUsed }: AgentOutput) => [
  exitReason,
  turnsUsed,
  messages.map(({ role, content, toolCallId }) => [role, content, toolCallId]),
];

it('property: every prefix of a run with a session and questions to people leads to the same end', async () => {
  const turns = array(array(constantFrom('pure', 'pay', 'refuse'), { minLength: 1, maxLength: 3 }), {
    maxLength: 2,
  });
  await assert(
    asyncProperty(turns, async (tools) => {
      const whole = await carry(tools, { history: NEW, appended: [] });
      expect(whole.output.exitReason).toBe('stop');
      expect(whole.transcript).toEqual(whole.output.messages);
      for (const left of whole.lefts) {
        const later = await carry(tools, left);
        expect(told(later.output)).toEqual(told(whole.output));
        expect(later.transcript).toEqual(whole.transcript);
        expect(later.asked).toBe(whole.asked - left.history.answers.length);
        const known = [...left.history.calls.values()].flatMap(({ result }) => result?.idempotencyKey ?? []);
        expect(later.paid.filter((key) => known.includes(key))).toEqual([]);
      }
    }),
    { numRuns: NUM_RUNS },
  );
});
