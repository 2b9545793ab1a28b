import { describe, expect, it, vi } from 'vitest';
import { AgentBuilder } from '../definition/agent.builder.js';
import { linkAgent, type LinkedAgent } from '../definition/linked-agent.js';
import { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import { HEURISTIC_TOKEN_ESTIMATOR } from '../memory/heuristic-token-estimator.js';
import type { TokenEstimator } from '../memory/token-estimator.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import { reservedTokens } from './reserved-tokens.js';

const schema = { type: 'object', properties: { mood: { type: 'string' } } };
const registry = new OperatorRegistry().register(
  'search',
  { execute: () => 1 },
  { description: 'Search it' },
);

function agent(define: (builder: AgentBuilder) => AgentBuilder): LinkedAgent {
  const builder = AgentBuilder.create('a').model('m').memory(AgentMemoryStrategy.tokenBudget(1_000));
  return linkAgent(define(builder).build(), registry);
}

/** Counts characters. */
const estimator = (): TokenEstimator => ({
  estimate: () => 0,
  estimateText: vi.fn((text: string) => text.length),
});

describe('reservedTokens', () => {
  it('B82: counts tool definitions and the answer’s format', () => {
    const counting = estimator();
    const count = reservedTokens(
      agent((b) => b.tool('search').responseFormat(schema)),
      counting,
    );
    const [[text]] = vi.mocked(counting.estimateText).mock.calls as [[string]];
    expect(count).toBe(text.length);
    for (const part of ['"search"', 'Search it', '"mood"']) expect(text).toContain(part);
  });

  it('grows with what is offered', () => {
    const none = reservedTokens(
      agent((b) => b),
      estimator(),
    );
    const tool = reservedTokens(
      agent((b) => b.tool('search')),
      estimator(),
    );
    const both = reservedTokens(
      agent((b) => b.tool('search').responseFormat(schema)),
      estimator(),
    );
    expect(none).toBeLessThan(20);
    expect(tool).toBeGreaterThan(none);
    expect(both).toBeGreaterThan(tool);
  });

  it('counts once per agent', () => {
    const counting = estimator();
    const one = agent((b) => b.tool('search'));
    expect(reservedTokens(one, counting)).toBe(reservedTokens(one, counting));
    expect(counting.estimateText).toHaveBeenCalledOnce();
    reservedTokens(
      agent((b) => b),
      counting,
    );
    expect(counting.estimateText).toHaveBeenCalledTimes(2);
  });

  it('counts nothing for an agent without a token budget', () => {
    const counting = estimator();
    for (const memory of [AgentMemoryStrategy.full(), AgentMemoryStrategy.slidingWindow(3)]) {
      expect(
        reservedTokens(
          agent((b) => b.tool('search').memory(memory)),
          counting,
        ),
      ).toBe(0);
    }
    expect(counting.estimateText).not.toHaveBeenCalled();
  });

  it('uses the heuristic where there is no estimator', () => {
    const one = agent((b) => b.tool('search'));
    const text = JSON.stringify([one.definitions, undefined]);
    expect(reservedTokens(one, undefined)).toBe(HEURISTIC_TOKEN_ESTIMATOR.estimateText(text));
  });
});

it('a run counts with the tables of its model', async () => {
  const { scriptedAgent } = await import('../../../../test/support/scripted-agent.js');
  const { OperatorContext } = await import('../operators/operator.context.js');
  // About 1,800 tokens by the model's tables; the heuristic takes each long word for a few.
  const words = 'a1b2c3'.repeat(300);
  const budget = (model: string, defaultModel?: string) =>
    scriptedAgent({
      script: [{ text: 'ok' }],
      define: (builder) => builder.model(model).memory(AgentMemoryStrategy.tokenBudget(1_000)),
      services: { defaultModel },
    }).agent.execute(words, OperatorContext.root());
  await expect(budget('some-other')).resolves.toMatchObject({ content: 'ok' });
  await expect(budget('gpt-4o')).rejects.toMatchObject({ code: 'context_budget' });
  await expect(budget('default', 'gpt-4o')).rejects.toMatchObject({ code: 'context_budget' });
});
