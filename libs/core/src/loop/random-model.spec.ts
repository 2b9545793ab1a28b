import { getEventListeners } from 'node:events';
import {
  assert,
  asyncProperty,
  array,
  constantFrom,
  integer,
  jsonValue,
  oneof,
  option,
  record,
  string,
} from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectChunks, scriptedAgent } from '../../../../test/support/scripted-agent.js';
import type { AgentOutput } from '../definition/agent-output.js';
import { AgentException } from '../errors/agent.exception.js';
import type { ScriptedStep } from '../llm/scripted.provider.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { OperatorContext } from '../operators/operator.context.js';
import type { AgentStreamChunk } from './agent-stream-chunk.js';

const NUM_RUNS = Number(process.env.PROPERTY_RUNS ?? 200);

const toolName = oneof(
  constantFrom('ok', 'fails', 'late', 'deaf', 'stops', 'nope', '__proto__', '$ BAD'),
  string({ maxLength: 8 }),
);
const toolCall = record({
  name: toolName,
  arguments: oneof(
    constantFrom('', '{}', '{"n":1}', '{bad', 'null', '[1]', '"{}"'),
    jsonValue().map((value) => JSON.stringify(value)),
  ),
  id: constantFrom('a', 'b', 'call_1', ''),
});
const step = record(
  {
    text: string({ maxLength: 20 }),
    toolCalls: array(toolCall, { maxLength: 4 }),
    finishReason: constantFrom('stop', 'tool_calls', 'length', 'content_filter', 'whatever', ''),
    error: option(constantFrom(new Error('broken'), 'a string', null), { nil: undefined, freq: 6 }),
  },
  { requiredKeys: [] },
);
const scenario = record({
  steps: array(step, { minLength: 1, maxLength: 6 }),
  abortAt: option(integer({ min: 1, max: 6 }), { nil: undefined }),
  maxTurns: integer({ min: 1, max: 5 }),
  cap: option(integer({ min: 1, max: 3 }), { nil: null }),
  onMaxTurns: constantFrom('throw' as const, 'finalize' as const),
});

/** What breaks the rule: every call has exactly one result, right behind its message, in call order. */
function pairingFaults(messages: readonly LlmMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const { role, toolCallId, toolCalls } of messages) {
    const fits = role === 'tool' ? open.shift() === toolCallId : open.length === 0;
    if (!fits) faults.push(`${role} ${toolCallId ?? ''} while ${open.join()} was open`);
    if (role !== 'tool') open = toolCalls?.map(({ id }) => id) ?? [];
  }
  return [...faults, ...open.map((id) => `${id} has no result`)];
}

describe('a model that does anything', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', note));
  afterAll(() => void process.off('unhandledRejection', note));

  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  it.each([false, true])('leaves nothing behind (streamed: %s)', async (streamed) => {
    const timersBefore = timers();
    await assert(
      asyncProperty(scenario, async ({ steps, abortAt, maxTurns, cap, onMaxTurns }) => {
        const controller = new AbortController();
        let running = 0;
        const { agent, streaming } = scriptedAgent({
          script: (_, call): ScriptedStep => {
            if (call === abortAt) controller.abort(new Error('enough'));
            return steps[(call - 1) % steps.length] ?? {};
          },
          tools: {
            ok: (input: unknown) => input,
            fails: () => Promise.reject(new Error('failed')),
            late: async () => {
              running += 1;
              await new Promise((resolve) => setImmediate(resolve));
              running -= 1;
            },
            deaf: (_: never, { signal }: OperatorContext) =>
              new Promise((resolve) => (signal.aborted ? resolve(1) : setImmediate(resolve))),
            stops: () => {
              throw new AgentException('stop', { code: 'custom' });
            },
          },
          define: (builder) => builder.maxTurns(maxTurns).maxToolConcurrency(cap).onMaxTurns(onMaxTurns),
        });
        const context = OperatorContext.root({ signal: controller.signal });
        const run = streamed ? collectChunks(streaming, 'go', context) : agent.execute('go', context);
        const outcome = await run.catch((error: unknown) => error);
        expect(pairingFaults(conversationOf(outcome) ?? [{ role: 'tool', content: 'missing' }])).toEqual([]);
        expect(running).toBe(0);
        expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
      }),
      { numRuns: NUM_RUNS },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(timersBefore);
  });
});

/** Of the output or, if the run failed, of the exception's checkpoint. Undefined where a run promises more. */
function conversationOf(outcome: unknown): readonly LlmMessage[] | undefined {
  if (outcome instanceof AgentException) return outcome.runId ? outcome.checkpoint?.conversation : undefined;
  if (!Array.isArray(outcome)) return (outcome as AgentOutput).messages;
  const last = (outcome as AgentStreamChunk[]).at(-1);
  return last?.type === 'done' ? last.finalOutput.messages : undefined;
}
