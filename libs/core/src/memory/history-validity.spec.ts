import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextBudgetException } from '../errors/context-budget.exception.js';
import { SILENT_LOGGER } from '../listeners/agent-logger.js';
import { repairHistory } from '../messages/history-repair.js';
import type { LlmMessage } from '../messages/llm-message.js';
import type { ConversationMemory } from './conversation.memory.js';
import { FullMemory } from './full.memory.js';
import { SlidingWindowMemory } from './sliding-window.memory.js';
import { SummaryMemory } from './summary.memory.js';
import { TokenBudgetMemory } from './token-budget.memory.js';
import type { TokenEstimator } from './token-estimator.js';

const RESERVED = 50;
const { signal } = new AbortController();

const texts = fc.constantFrom<unknown>('hello', 'a longer text '.repeat(20), '', ' \n', null, [], undefined);
const ids = fc.constantFrom('a', 'b', 'c', 'd', '');
const toolCall = fc.record({
  id: ids,
  name: fc.constantFrom('search', '$RUN SHELL', '', 'n'.repeat(70)),
  arguments: fc.constantFrom('{}', '{"n":1}', '{"q":"text"}', '', '[]', 'null', '{bad', '"{\\"n\\":1}"'),
});

/** Anything that was ever seen in a history, in any order. */
const anyHistory: fc.Arbitrary<readonly LlmMessage[]> = fc
  .array(
    fc.oneof(
      { weight: 1, arbitrary: fc.record({ role: fc.constantFrom('system', 'robot'), content: texts }) },
      { weight: 2, arbitrary: fc.record({ role: fc.constant('user'), content: texts }) },
      { weight: 1, arbitrary: fc.record({ role: fc.constant('assistant'), content: texts }) },
      {
        weight: 3,
        arbitrary: fc.record({
          role: fc.constant('assistant'),
          content: texts,
          toolCalls: fc.array(toolCall, { maxLength: 3 }),
        }),
      },
      { weight: 5, arbitrary: fc.record({ role: fc.constant('tool'), content: texts, toolCallId: ids }) },
    ),
    { maxLength: 30 },
  )
  .map((messages) => messages as readonly LlmMessage[]);

const validHistory = anyHistory.map(repairHistory);

/** What every provider asks of a request; written without the code that is tested. */
function flawOf(messages: readonly LlmMessage[]): string | undefined {
  const open = new Set<string>();
  for (const [index, { role, content, toolCalls, toolCallId }] of messages.entries()) {
    const at = `message ${index} (${role})`;
    if (role === 'tool' && !open.delete(toolCallId ?? '')) return `${at} answers no open call`;
    if (role !== 'tool' && open.size > 0) return `${at} comes before all calls are answered`;
    const calling = role === 'assistant' && (toolCalls?.length ?? 0) > 0;
    if (calling ? content === '' : typeof content !== 'string' || content.trim() === '')
      return `${at} is empty`;
    for (const call of calling ? toolCalls! : []) {
      if (open.has(call.id) || call.id === '') return `${at} has bad ids`;
      open.add(call.id);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.name)) return `${at} has a bad name`;
      if (!/^\{.*\}$/.test(call.arguments) || !JSON.parse(call.arguments)) return `${at} has bad arguments`;
    }
  }
  return open.size > 0 ? 'the last calls are not answered' : undefined;
}

const LENGTH: TokenEstimator = {
  estimate: ({ content, toolCalls }) => 5 + (content?.length ?? 0) + 10 * (toolCalls?.length ?? 0),
  estimateText: (text) => text.length,
};
const cost = (messages: readonly LlmMessage[]): number =>
  messages.reduce((sum, message) => sum + LENGTH.estimate(message), 0);

const systems = (messages: readonly LlmMessage[]): readonly LlmMessage[] =>
  messages.filter(({ role }) => role === 'system');
const others = (messages: readonly LlmMessage[]): readonly LlmMessage[] =>
  messages.filter(({ role }) => role !== 'system');
const callIds = (messages: readonly LlmMessage[]): readonly string[] =>
  messages.flatMap(({ toolCalls }) => [...new Set((toolCalls ?? []).map(({ id }) => id))]).filter(Boolean);

/** Everything since the last user message; without one the last message that is no result, with its results. */
function currentTurn(history: readonly LlmMessage[]): readonly LlmMessage[] {
  const user = history.findLastIndex(({ role }) => role === 'user');
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  return others(history.slice(user >= 0 ? user : Math.max(0, last)));
}

/** A shortened result is a new message; it stands for the one with its id. */
const outline = (messages: readonly LlmMessage[]): unknown[] =>
  messages.map((message) => (message.role === 'tool' ? message.toolCallId : message));

function expectValidView(view: readonly LlmMessage[], history: readonly LlmMessage[]): void {
  expect(flawOf(view)).toBeUndefined();
  const [shown, all] = [others(view), others(history)];
  expect(shown[0]?.role).not.toBe('tool');
  expect(shown.length).toBeGreaterThanOrEqual(currentTurn(history).length);
  expect(outline(shown)).toEqual(outline(all.slice(all.length - shown.length)));
}

type Look = (view: readonly LlmMessage[], soFar: readonly LlmMessage[]) => void;

/** Grows the conversation message by message and looks at the view wherever a request could be made. */
async function growAndLook(
  history: readonly LlmMessage[],
  from: number,
  memory: ConversationMemory,
  look: Look,
  lookAtError?: (error: unknown, soFar: readonly LlmMessage[]) => void,
): Promise<void> {
  for (let end = Math.min(from, history.length); end <= history.length; end++) {
    const soFar = history.slice(0, end);
    if (flawOf(soFar) === undefined) {
      const view = await Promise.resolve()
        .then(() => memory.view({ reservedTokens: RESERVED, signal }))
        .catch((error: unknown) => ({ error }));
      if (!('error' in view)) look(view, soFar);
      else if (lookAtError) lookAtError(view.error, soFar);
      else throw view.error;
    }
    const next = history[end];
    if (next) memory.append(next);
  }
  expect(memory.messages()).toEqual(history);
}

const check = <T>(property: fc.IProperty<T> | fc.IAsyncProperty<T>): void | Promise<void> =>
  fc.assert(property, { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) });

describe('repairHistory, for any history', () => {
  it('gives what every provider accepts, and the same messages each time', () =>
    check(
      fc.property(anyHistory, (history) => {
        const repaired = repairHistory(history);
        expect(flawOf(repaired)).toBeUndefined();
        expect(repairHistory(repaired)).toBe(repaired);
        const again = repairHistory(history);
        expect(again.length).toBe(repaired.length);
        expect(again.every((message, index) => message === repaired[index])).toBe(true);
      }),
    ));

  it('gives a valid history back as it is', () =>
    check(
      fc.property(validHistory, (history) => {
        const copies = history.map((message) => ({ ...message }));
        expect(repairHistory(copies)).toBe(copies);
      }),
    ));

  it('keeps every message that says something, and every call that can be answered', () =>
    check(
      fc.property(anyHistory, (history) => {
        const repaired = repairHistory(history);
        const users = history.filter(({ role }) => role === 'user');
        const saying = users.filter(({ content }) => typeof content === 'string' && content.trim());
        expect(repaired.filter(({ role }) => role === 'user')).toHaveLength(users.length);
        expect(repaired.filter((message) => saying.includes(message))).toEqual(saying);
        expect(callIds(repaired)).toEqual(callIds(history));
      }),
    ));
});

describe('each memory, for any history, size and moment', () => {
  const from = fc.nat({ max: 30 });
  const size = fc.integer({ min: 1, max: 12 });

  it('full shows everything', () =>
    check(
      fc.asyncProperty(validHistory, from, (history, start) =>
        growAndLook(history, start, new FullMemory(history.slice(0, start)), (view, soFar) => {
          expect(view).toEqual(soFar);
        }),
      ),
    ));

  it('sliding_window(n) shows a valid request of at most n messages or the current turn', () =>
    check(
      fc.asyncProperty(validHistory, from, size, (history, start, n) =>
        growAndLook(history, start, new SlidingWindowMemory(history.slice(0, start), n), (view, soFar) => {
          expectValidView(view, soFar);
          expect(systems(view)).toEqual(systems(soFar));
          expect(others(view).length).toBeLessThanOrEqual(Math.max(n, currentTurn(soFar).length));
        }),
      ),
    ));

  it('token_budget(n) shows a valid request within the budget, or says that there is none', () =>
    check(
      fc.asyncProperty(validHistory, from, fc.integer({ min: 1, max: 1500 }), (history, start, max) => {
        const memory = new TokenBudgetMemory(history.slice(0, start), max, LENGTH);
        const expectFit = (view: readonly LlmMessage[], soFar: readonly LlmMessage[]): void => {
          expectValidView(view, soFar);
          expect(systems(view)).toEqual(systems(soFar));
          expect(cost(view) + RESERVED).toBeLessThanOrEqual(max);
        };
        const expectTooLarge = (error: unknown, soFar: readonly LlmMessage[]): void => {
          expect(error).toBeInstanceOf(ContextBudgetException);
          expect(cost([...systems(soFar), ...currentTurn(soFar)]) + RESERVED).toBeGreaterThan(max);
        };
        return growAndLook(history, start, memory, expectFit, expectTooLarge);
      }),
    ));

  it('summary(n) shows a valid request and loses nothing, also when summaries fail', () =>
    check(
      fc.asyncProperty(
        validHistory,
        from,
        size,
        fc.infiniteStream(fc.boolean()),
        async (history, start, n, luck) => {
          const summarised: LlmMessage[] = [];
          const summarizer = async (messages: readonly LlmMessage[]): Promise<string> => {
            if (!luck.next().value) throw new Error('no luck');
            summarised.push(...messages);
            return 'in short';
          };
          const options = { summarizer, logger: SILENT_LOGGER };
          const memory = new SummaryMemory(history.slice(0, start), n, options);
          await growAndLook(history, start, memory, (view, soFar) => {
            expectValidView(view, soFar);
            const own = view.filter((message) => !soFar.includes(message));
            expect(own.length).toBe(summarised.length > 0 ? 1 : 0);
            expect(systems(view).filter((message) => !own.includes(message))).toEqual(systems(soFar));
          });
          expect(others(history).slice(0, summarised.length)).toEqual(summarised);
        },
      ),
    ));
});
