import { array, assert, asyncProperty, boolean, constantFrom, oneof, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairingFaults } from '../../../../test/support/run-outcome.js';
import { calls, collectChunks, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import type { AgentOutput } from '../definition/agent-output.js';
import { AgentException } from '../errors/agent.exception.js';
import type { ScriptedStep } from '../llm/scripted.provider.js';
import { OperatorContext } from '../operators/operator.context.js';
import { InMemoryConversationStore } from '../sessions/in-memory-conversation.store.js';
import type { StreamingAgentLoopOperator } from './streaming-agent-loop.operator.js';

const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 200);

const step = oneof(
  constantFrom<ScriptedStep[]>(
    { text: 'an answer' },
    { text: '' },
    { text: ' ' },
    { ...calls(['ping']), text: 'a call' },
    calls(['ping', {}, 'same'], ['nope', '{bad', 'same']),
    { ...calls(['ping']), finishReason: 'length' },
    { error: new Error('down') },
  ),
);
const question = record({
  steps: array(step, { minLength: 1, maxLength: 3 }),
  streamed: boolean(),
  aborted: constantFrom(false, false, false, 'at once' as const, 'on the way' as const),
  /** What a failed run does then. */
  resumed: boolean(),
});

async function outputOf(
  streaming: StreamingAgentLoopOperator,
  input: string,
  context: OperatorContext,
): Promise<AgentOutput> {
  const last = (await collectChunks(streaming, input, context)).at(-1);
  if (last?.type !== 'done') throw new Error('The stream did not end with done.');
  return last.finalOutput;
}

describe('a session that many runs use at once', () => {
  it('holds what each run that succeeded added, whole and in one piece, and nothing of the others', async () => {
    await assert(
      asyncProperty(array(question, { minLength: 1, maxLength: 5 }), async (questions) => {
        const sessions = new InMemoryConversationStore();
        const faults: string[] = [];
        const succeeded: { readonly name: string; readonly output: AgentOutput }[] = [];
        await Promise.all(
          questions.map(async ({ steps, streamed, aborted, resumed }, index) => {
            const name = `question ${index}`;
            const controller = new AbortController();
            const { agent, streaming } = scriptedAgent({
              script: (_, call) => {
                if (aborted === 'on the way') controller.abort();
                return steps[call - 1] ?? { text: 'the end' };
              },
              tools: { ping: () => 'pong' },
              define: (builder) => builder.systemPrompt('Be kind.').maxTurns(3),
              services: { sessions },
            });
            if (aborted === 'at once') queueMicrotask(() => controller.abort());
            const inSession = OperatorContext.root({ sessionId: 's', signal: controller.signal });
            const running = streamed ? outputOf(streaming, name, inSession) : agent.execute(name, inSession);
            try {
              succeeded.push({ name, output: await running });
            } catch (error) {
              if (!(error instanceof AgentException)) throw error;
              const { checkpoint } = error;
              faults.push(...pairingFaults(checkpoint?.conversation ?? []));
              if (!resumed || !checkpoint?.conversation.length) return;
              const again = OperatorContext.root({ sessionId: 's' });
              // Refused if others have gone on with the session meanwhile, or if it fails again.
              const output = await agent.resume(checkpoint, again, { maxTurns: 9 }).catch(() => undefined);
              if (output) succeeded.push({ name, output });
            }
          }),
        );
        const { messages } = sessions.load('s');
        expect([...faults, ...pairingFaults(messages)]).toEqual([]);
        const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
        expect(asked).toHaveLength(succeeded.length);
        expect(new Set(asked)).toEqual(new Set(succeeded.map(({ name }) => name)));
        const latest = succeeded.find(({ name }) => name === asked.at(-1));
        expect(messages.at(-1)?.content ?? '').toBe(latest?.output.messages.at(-1)?.content ?? '');
        // Nothing is held any more.
        const release = await sessions.lock('s', { whenBusy: 'refuse' });
        release();
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
