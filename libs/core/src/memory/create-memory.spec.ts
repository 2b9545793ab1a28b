import { describe, expect, it, vi } from 'vitest';
import { SILENT_LOGGER } from '../listeners/agent-logger.js';
import type { LlmMessage } from '../messages/llm-message.js';
import { AgentMemoryStrategy } from './agent-memory-strategy.js';
import { createMemory } from './create-memory.js';
import { FullMemory } from './full.memory.js';
import { SlidingWindowMemory } from './sliding-window.memory.js';
import { SummaryMemory } from './summary.memory.js';
import { TokenBudgetMemory } from './token-budget.memory.js';

const initial: readonly LlmMessage[] = [
  { role: 'user', content: 'one' },
  { role: 'user', content: 'two' },
];
const request = { reservedTokens: 0, signal: new AbortController().signal };

describe('createMemory', () => {
  it.each([
    [AgentMemoryStrategy.full(), FullMemory],
    [AgentMemoryStrategy.slidingWindow(1), SlidingWindowMemory],
    [AgentMemoryStrategy.tokenBudget(100), TokenBudgetMemory],
    [AgentMemoryStrategy.summary(1), SummaryMemory],
  ])('makes what the strategy names: %o', (strategy, type) => {
    const memory = createMemory(strategy, initial, { logger: SILENT_LOGGER });
    expect(memory).toBeInstanceOf(type);
    expect(memory.messages()).toEqual(initial);
  });

  it('hands the services to the memories', async () => {
    const estimator = { estimate: vi.fn(() => 60), estimateText: () => 0 };
    const summarizer = vi.fn(async () => 'They count.');
    const services = { logger: SILENT_LOGGER, estimator, summarizer };
    const budget = createMemory(AgentMemoryStrategy.tokenBudget(100), initial, services);
    expect(await budget.view(request)).toEqual([initial[1]]);
    const summary = createMemory(AgentMemoryStrategy.summary(1), initial, services);
    expect((await summary.view(request))[0]?.content).toContain('They count.');
  });

  it('uses what a custom factory makes', () => {
    const made = new FullMemory(initial);
    const factory = vi.fn(() => made);
    expect(createMemory(AgentMemoryStrategy.custom(factory), initial, { logger: SILENT_LOGGER })).toBe(made);
    expect(factory).toHaveBeenCalledWith(initial);
  });

  it.each([null, undefined, {}, { append() {}, messages() {} }])(
    'refuses a custom memory like %o',
    (made) => {
      const strategy = AgentMemoryStrategy.custom(() => made as unknown as FullMemory);
      expect(() => createMemory(strategy, initial, { logger: SILENT_LOGGER })).toThrow(
        /without .*view\. It must give/,
      );
    },
  );
});
