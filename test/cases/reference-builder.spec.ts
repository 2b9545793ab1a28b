import {
  AgentBuilder,
  AgentMemoryStrategy,
  LlmChatOperator,
  LlmStreamingChatOperator,
  OperatorContext,
  OperatorRegistry,
  ScriptedProvider,
  toolRef,
} from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { collectChunks } from '../support/scripted-agent.js';

/** Every method of the reference's builder table. */
describe('the builder', () => {
  const search = toolRef('search', { description: 'Search the knowledge base' });
  const least = (): AgentBuilder => AgentBuilder.create('least').model('gpt-4o');
  const condition = (): boolean => true;
  const everything = (): AgentBuilder =>
    AgentBuilder.create('everything')
      .model('gpt-4o')
      .systemPrompt('Be brief.')
      .maxTurns(3)
      .maxToolConcurrency(2)
      .temperature(0.2)
      .memory(AgentMemoryStrategy.tokenBudget(4_000))
      .tool(search)
      .exitCondition(condition)
      .streaming(true)
      .streamingBufferCapacity(4);

  it('sets every field of the reference’s table', () => {
    expect(everything().build()).toMatchObject({
      id: 'everything',
      model: 'gpt-4o',
      systemPrompt: 'Be brief.',
      maxTurns: 3,
      maxToolConcurrency: 2,
      temperature: 0.2,
      memoryStrategy: { kind: 'token_budget', maxTokens: 4_000 },
      tools: [search],
      exitCondition: condition,
      streaming: true,
      streamingBufferCapacity: 4,
    });
  });

  it('has the reference’s defaults', () => {
    expect(least().build()).toMatchObject({
      systemPrompt: null,
      maxTurns: 10,
      maxToolConcurrency: null,
      temperature: null,
      memoryStrategy: { kind: 'full' },
      tools: [],
      exitCondition: null,
      streaming: false,
      streamingBufferCapacity: 16,
    });
  });

  it('gives an immutable definition', () => {
    const def = everything().build();
    expect(() => Object.assign(def, { maxTurns: 99 })).toThrow(TypeError);
    expect(() => (def.tools as unknown[]).push(search)).toThrow(TypeError);
  });

  it('starts from a definition and gives it back the same', () => {
    for (const def of [everything().build(), least().build()]) {
      expect(AgentBuilder.from(def).build()).toEqual(def);
    }
    const changed = AgentBuilder.from(everything().build()).model('gpt-4o-mini').build();
    expect(changed).toEqual({ ...everything().build(), model: 'gpt-4o-mini' });
  });

  it('makes the operators that run and stream it', async () => {
    const provider = new ScriptedProvider([{ text: 'Hello.' }, { text: 'Hello again.' }]);
    const registry = OperatorRegistry.builder()
      .register('search', { execute: () => 'found' })
      .register('llmChat', new LlmChatOperator(provider))
      .register('llmStreamingChat', new LlmStreamingChatOperator(provider))
      .build();
    const output = await everything().toOperator('whole', registry).execute('Hi', OperatorContext.root());
    expect(output.content).toBe('Hello.');
    const chunks = await collectChunks(everything().toStreamingOperator('pieces', registry), 'Hi');
    expect(chunks.at(-1)).toMatchObject({ type: 'done', finalOutput: { content: 'Hello again.' } });
  });
});
