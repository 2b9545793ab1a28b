import { describe, expect, it } from 'vitest';
import { AgentException } from '../errors/agent.exception.js';
import { ContextBudgetException } from '../errors/context-budget.exception.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { HEURISTIC_TOKEN_ESTIMATOR } from './heuristic-token-estimator.js';
import { TokenBudgetMemory } from './token-budget.memory.js';
import type { TokenEstimator } from './token-estimator.js';

const { signal } = new AbortController();
const request = (reservedTokens = 0) => ({ reservedTokens, signal });

/** Counts characters, so that sizes can be read off the messages. */
const CHARACTERS: TokenEstimator = {
  estimate: ({ content, toolCalls }) =>
    (content?.length ?? 0) + (toolCalls ?? []).reduce((sum, call) => sum + call.arguments.length, 0),
  estimateText: (text) => text.length,
};

const system: LlmMessage = { role: 'system', content: 'Be brief..' };
const user = (content: string): LlmMessage => ({ role: 'user', content });
const says = (content: string): LlmMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): LlmMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const result = (id: string, content: string): LlmMessage => ({ role: 'tool', content, toolCallId: id });
const cost = (messages: readonly LlmMessage[], estimator: TokenEstimator = CHARACTERS): number =>
  messages.reduce((sum, message) => sum + estimator.estimate(message), 0);
const digits = (count: number): string => '0123456789'.repeat(count / 10);

describe('TokenBudgetMemory', () => {
  it('B78: drops the oldest groups, whole, until the request fits', () => {
    const [hello, ab, a, b, x, q] = [
      user(digits(20)),
      calls('a', 'b'),
      result('a', digits(30)),
      result('b', digits(30)),
      says(digits(10)),
      user(digits(20)),
    ];
    const history = [system, hello, ab, a, b, x, q];
    const shown = (budget: number) => new TokenBudgetMemory(history, budget, CHARACTERS).view(request());
    expect(shown(30)).toEqual([system, q]);
    expect(shown(39)).toEqual([system, q]);
    expect(shown(40)).toEqual([system, x, q]);
    expect(shown(103)).toEqual([system, x, q]);
    expect(shown(104)).toEqual([system, ab, a, b, x, q]);
    expect(shown(124)).toEqual(history);
    expect(() => shown(29)).toThrow(ContextBudgetException);
  });

  it('B82: leaves room for the tool definitions', () => {
    const history = Array.from({ length: 30 }, (_, i) => (i % 2 ? says(digits(50)) : user(digits(50))));
    const memory = new TokenBudgetMemory([system, ...history], 8000, CHARACTERS);
    const shown = memory.view(request(7000));
    expect(cost(shown) + 7000).toBeLessThanOrEqual(8000);
    expect(cost(shown) + 7000).toBeGreaterThan(8000 - 50);
    expect(memory.messages()).toHaveLength(31);
  });

  it('B82: says what takes the room when the tools alone are larger than the budget', () => {
    const memory = new TokenBudgetMemory([system, user(digits(50))], 8000, CHARACTERS);
    expect(() => memory.view(request(10_000))).toThrow(
      expect.objectContaining({
        code: 'context_budget',
        use: { maxTokens: 8000, reservedTokens: 10_000, systemTokens: 10, turnTokens: 50 },
        message: expect.stringMatching(
          /10060 tokens and token_budget allows 8000: 10000 for tool definitions.*Raise/,
        ),
      }),
    );
  });

  it('B82: counts the arguments of tool calls', () => {
    const asks = {
      ...calls(),
      toolCalls: [{ id: 'a', name: 'look', arguments: JSON.stringify(digits(500)) }],
    };
    const memory = new TokenBudgetMemory([user('u'), asks, result('a', 'ok'), user('q')], 400, CHARACTERS);
    expect(memory.view(request())).toEqual([user('q')]);
  });

  it('keeps out what was once left out, so that consecutive requests begin alike', () => {
    const memory = new TokenBudgetMemory([user('1'), says(digits(50)), user('3')], 60, CHARACTERS);
    expect(memory.view(request(20))).toEqual([user('3')]);
    expect(memory.view(request(0))).toEqual([user('3')]);
  });

  it('estimates each message once, and of a long history only what may be shown', () => {
    const estimated: LlmMessage[] = [];
    const counting: TokenEstimator = {
      ...CHARACTERS,
      estimate: (message) => (estimated.push(message), CHARACTERS.estimate(message)),
    };
    const history = Array.from({ length: 1000 }, (_, i) => user(`${digits(20)} ${i}`));
    const memory = new TokenBudgetMemory([system, ...history], 250, counting);
    const shown = memory.view(request());
    expect(estimated.length).toBeLessThanOrEqual(shown.length + 1);
    for (let turn = 0; turn < 5; turn++) {
      estimated.length = 0;
      const added = [says(`answer ${turn}`), user(`question ${turn}`)];
      for (const message of added) memory.append(message);
      expect(cost(memory.view(request()))).toBeLessThanOrEqual(250);
      expect(estimated).toEqual(added);
    }
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuses an estimate of %d', (tokens) => {
    const memory = new TokenBudgetMemory([user('q')], 10, { ...CHARACTERS, estimate: () => tokens });
    expect(() => memory.view(request())).toThrow(AgentException);
    expect(() => memory.view(request())).toThrow(`gave ${tokens} for a message of role "user"`);
  });

  it.each([0, 0.5, Number.NaN])('refuses a budget of %d', (maxTokens) => {
    expect(() => new TokenBudgetMemory([], maxTokens, CHARACTERS)).toThrow(RangeError);
  });
});

describe('TokenBudgetMemory, when the current turn is larger than the budget', () => {
  const q = user('q');

  it('shortens the largest results, evenly, and keeps head and tail', () => {
    const history = [system, q, calls('a', 'b', 'c')];
    const results = [result('a', digits(5000)), result('b', digits(3000)), result('c', digits(500))];
    const memory = new TokenBudgetMemory([...history, ...results], 3000, CHARACTERS);
    const shown = memory.view(request());
    expect(shown.slice(0, 3)).toEqual(history);
    expect(cost(shown)).toBeLessThanOrEqual(3000);
    expect(cost(shown)).toBeGreaterThan(2400);
    expect(shown[5]).toBe(results[2]);
    for (const cut of shown.slice(3, 5)) expect(cut.content).toMatch(/^0123456789.*0123456789$/s);
    expect(shown.map(({ toolCallId }) => toolCallId)).toEqual([
      undefined,
      undefined,
      undefined,
      'a',
      'b',
      'c',
    ]);
    expect(memory.messages().slice(3)).toEqual(results);
  });

  it('shows the same shortened message until it must shrink more', () => {
    const memory = new TokenBudgetMemory([q, calls('a'), result('a', digits(5000))], 1000, CHARACTERS);
    const first = memory.view(request())[2];
    expect(memory.view(request())[2]).toBe(first);
    for (const message of [calls('b'), result('b', digits(900))]) memory.append(message);
    const view = memory.view(request());
    expect(cost(view)).toBeLessThanOrEqual(1000);
    expect(view[2]!.content!.length).toBeLessThan(first!.content!.length);
    expect(Object.isFrozen(view[2])).toBe(true);
    memory.append(says('done'));
    memory.append(user('next'));
    expect(cost(memory.view(request()))).toBeLessThanOrEqual(1000);
  });

  it('drops everything older first', () => {
    const older = [user(digits(500)), says(digits(500))];
    const memory = new TokenBudgetMemory(
      [...older, q, calls('a'), result('a', digits(800))],
      900,
      CHARACTERS,
    );
    expect(memory.view(request())).toEqual([q, calls('a'), result('a', digits(800))]);
  });

  it('works with the default estimator', () => {
    const rows = result('a', 'a row of the table, 12.50 EUR\n'.repeat(1000));
    const memory = new TokenBudgetMemory([system, q, calls('a'), rows], 500, HEURISTIC_TOKEN_ESTIMATOR);
    const shown = memory.view(request(100));
    expect(cost(shown, HEURISTIC_TOKEN_ESTIMATOR)).toBeLessThanOrEqual(400);
    expect(cost(shown, HEURISTIC_TOKEN_ESTIMATOR)).toBeGreaterThan(300);
  });

  it('does not show a shortened result that costs more than the whole one', () => {
    const estimator: TokenEstimator = {
      ...CHARACTERS,
      estimate: ({ role, content }) =>
        role === 'tool' && content !== digits(300) ? 500 : (content?.length ?? 0),
    };
    const memory = new TokenBudgetMemory([q, calls('a'), result('a', digits(300))], 200, estimator);
    expect(() => memory.view(request())).toThrow(
      expect.objectContaining({ use: expect.objectContaining({ turnTokens: 301 }) }),
    );
  });

  it('fails with the numbers when even shortened results do not fit', () => {
    const memory = new TokenBudgetMemory([q, calls('a'), result('a', digits(5000))], 20, CHARACTERS);
    expect(() => memory.view(request())).toThrow(ContextBudgetException);
    expect(() => memory.view(request())).toThrow(/token_budget allows 20/);
    expect(memory.messages()[2]?.content).toHaveLength(5000);
  });
});
