import { describe, expect, it } from 'vitest';
import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import { AGENT_DEFAULTS } from './agent-def.defaults.js';
import type { AgentDef } from './agent-def.js';
import { checkAgentDef } from './check-agent-def.js';
import { toolRef } from './tool-ref.js';

/** A definition as plain JavaScript may give it. */
function check(fields: object): void {
  const def: AgentDef = { ...AGENT_DEFAULTS, id: 'support', model: 'm' };
  checkAgentDef({ ...def, ...fields });
}

/** The message of the problems there are. */
function problemWith(fields: object): string | undefined {
  try {
    check(fields);
    return undefined;
  } catch (error) {
    if (error instanceof AgentDefinitionException) return error.message;
    throw error;
  }
}

describe('checkAgentDef', () => {
  it.each([
    {},
    { maxTurns: 1, maxToolConcurrency: 1, temperature: 0, streamingBufferCapacity: 1, toolTimeout: 1 },
    { temperature: -0.5, repeatedCallLimit: 0, toolResultLimit: 100, onMaxTurns: 'finalize' },
    { maxTokens: 1, maxTotalTokens: 1, deadline: 1, streaming: true, allTools: true },
    { toolTimeout: 2 ** 31 - 1, deadline: 2 ** 31 - 1, maxTurns: Number.MAX_SAFE_INTEGER },
    { systemPrompt: '', exitCondition: () => true },
    { systemPrompt: () => 'made', memoryStrategy: AgentMemoryStrategy.custom(() => undefined as never) },
    ...[1, 1_000].flatMap((size) => [
      { memoryStrategy: AgentMemoryStrategy.slidingWindow(size) },
      { memoryStrategy: AgentMemoryStrategy.tokenBudget(size) },
      { memoryStrategy: AgentMemoryStrategy.summary(size) },
    ]),
    { tools: [toolRef('a'), toolRef('A'), toolRef('-_9'.padEnd(64, 'x'))] },
  ])('takes %j', (fields) => {
    expect(problemWith(fields)).toBeUndefined();
  });

  it.each([
    ['model', undefined, 'set to the model id, such as "gpt-4o-mini", or "default" for the configured one'],
    ['model', '  ', 'set to the model id, such as "gpt-4o-mini", or "default" for the configured one'],
    ['systemPrompt', 7, "a text, or a function that makes one from the run's ctx"],
    ['maxTurns', 0, 'a whole number >= 1'],
    ['maxTurns', 1.5, 'a whole number >= 1'],
    ['maxTurns', '3', 'a whole number >= 1'],
    ['maxTurns', null, 'a whole number >= 1'],
    ['maxTurns', 2 ** 53, 'a whole number >= 1'],
    ['maxToolConcurrency', 0, 'a whole number >= 1'],
    ['temperature', NaN, 'a finite number'],
    ['temperature', -Infinity, 'a finite number'],
    ['temperature', '0.7', 'a finite number'],
    ['streamingBufferCapacity', 0, 'a whole number >= 1'],
    ['toolTimeout', 0, 'a whole number from 1 to 2147483647'],
    ['toolTimeout', 2 ** 31, 'a whole number from 1 to 2147483647'],
    ['maxTokens', 0, 'a whole number >= 1'],
    ['maxTotalTokens', -1, 'a whole number >= 1'],
    ['deadline', 0, 'a whole number from 1 to 31536000000'],
    ['deadline', 31_536_000_001, 'a whole number from 1 to 31536000000'],
    ['onMaxTurns', 'give up', '"throw" or "finalize"'],
    ['repeatedCallLimit', -1, 'a whole number >= 0'],
    ['toolResultLimit', 99, 'a whole number >= 100'],
    ['streaming', 'yes', 'true or false'],
    ['allTools', undefined, 'true or false'],
    ['exitCondition', 'turn > 3', 'a function such as ({ toolCall }) => toolCall("escalate")'],
    ['tools', { search: {} }, 'a list of tool references'],
    ['tools', null, 'a list of tool references'],
  ])('refuses %s %j with its value and the rule', (field, value, must) => {
    const shown =
      typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value);
    expect(problemWith({ [field]: value })).toBe(
      `Agent "support": ${field} is ${shown}; it must be ${must}.`,
    );
  });

  it.each([
    [
      AgentMemoryStrategy.slidingWindow(0),
      'memory slidingWindow(size) is 0; it must be a whole number >= 1.',
    ],
    [
      AgentMemoryStrategy.tokenBudget(-5),
      'memory tokenBudget(maxTokens) is -5; it must be a whole number >= 1.',
    ],
    [AgentMemoryStrategy.summary(2.5), 'memory summary(keep) is 2.5; it must be a whole number >= 1.'],
    [{ kind: 'custom' }, 'memory custom(factory) is undefined; it must be a function.'],
    [
      { kind: 'none' },
      'memory is {"kind":"none"}; it must be one of AgentMemoryStrategy.full, slidingWindow,',
    ],
    [undefined, 'memory is undefined; it must be one of'],
    [null, 'memory is null; it must be one of'],
  ])('refuses the memory %j', (memoryStrategy, message) => {
    expect(problemWith({ memoryStrategy })).toContain(`Agent "support": ${message}`);
  });

  it.each(['', 'two words', 'größe', 'a.b', 'x'.repeat(65)])('refuses the tool name %j', (name) => {
    expect(problemWith({ tools: [toolRef(name)] })).toBe(
      `Agent "support": tool name is ${JSON.stringify(name)}; ` +
        `it must be 1 to 64 letters, digits, "_" or "-" (the model's API refuses anything else).`,
    );
  });

  it.each([[[{}]], [[null]], [[undefined]], [[{ name: 7 }]], [['search']]])(
    'refuses the tools %j',
    (tools) => {
      expect(problemWith({ tools })).toMatch(/^Agent "support": tool name is (undefined|7); it must be/);
    },
  );

  it('refuses what only looks like a tool reference, and says how to make one', () => {
    expect(problemWith({ tools: [{ name: 'search' }] })).toBe(
      'Agent "support": tool "search" is no tool reference; add it by its name, or make it with toolRef(name).',
    );
  });

  it('refuses a tool declared twice', () => {
    expect(problemWith({ tools: [toolRef('find'), toolRef('find', { operator: 'other' })] })).toBe(
      'Agent "support": tool "find" is declared twice; give one of them another name.',
    );
  });

  it('names all problems at once, each on its line', () => {
    expect(problemWith({ model: undefined, maxTurns: 0, temperature: NaN })).toMatch(
      /^Agent "support" has 3 problems:\n- model is .*\n- maxTurns is .*\n- temperature is .*$/,
    );
  });

  it.each([
    ['', '""'],
    [undefined, 'undefined'],
    [7, '7'],
  ])('refuses the id %j', (id, shown) => {
    expect(problemWith({ id })).toBe(
      `Agent "(no id)": id is ${shown}; it must be set to a name, such as "customerSupport".`,
    );
  });

  it('shows a long value shortened, and one that has no text all the same', () => {
    expect(problemWith({ onMaxTurns: 'x'.repeat(500) })).toContain(`onMaxTurns is "${'x'.repeat(99)}…;`);
    const circular: { self?: unknown } = {};
    circular.self = circular;
    for (const value of [circular, Object.create(null), 5n, Symbol('s'), { n: 5n }]) {
      expect(problemWith({ maxTurns: value })).toContain('it must be a whole number >= 1.');
    }
  });
});
