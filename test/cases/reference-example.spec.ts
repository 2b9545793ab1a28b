import {
  AgentBuilder,
  AgentDslCompiler,
  AgentLoopOperator,
  AgentMemoryStrategy,
  CHAT_OPERATOR,
  LlmChatOperator,
  LlmStreamingChatOperator,
  MaxTurnsExceededException,
  NodeChannel,
  OperatorContext,
  OperatorRegistry,
  ScriptedProvider,
  toolRef,
  UnknownOperatorException,
  type AgentStreamChunk,
  type LlmProvider,
  type Operator,
  type ScriptedStep,
} from '@nestor/core';
import { describe, expect, it } from 'vitest';

/** The reference's shortest whole agent, in TypeScript. */

class KBSearchOperator implements Operator<{ readonly query: string }> {
  readonly queries: string[] = [];

  execute({ query }: { readonly query: string }): unknown {
    this.queries.push(query);
    return [{ title: 'Locked accounts', text: 'Unlock it under Settings, Security.' }];
  }
}

class EscalateOperator implements Operator<{ readonly reason: string }> {
  readonly reasons: string[] = [];

  execute({ reason }: { readonly reason: string }): unknown {
    this.reasons.push(reason);
    return { queued: true };
  }
}

const text = (field: string): object => ({
  type: 'object',
  properties: { [field]: { type: 'string' } },
  required: [field],
});

const searchKnowledgeBase = toolRef('searchKnowledgeBase', {
  operator: 'KBSearchOperator',
  description: 'Search the knowledge base',
  parameters: { ...text('query') },
});
const escalateToHuman = toolRef('escalateToHuman', {
  operator: 'EscalateOperator',
  description: 'Escalate to a human agent',
  parameters: { ...text('reason') },
});

const customerSupport = (): AgentBuilder =>
  AgentBuilder.create('customerSupport')
    .model('gpt-4o')
    .systemPrompt('You are a helpful support agent.')
    .maxTurns(15)
    .temperature(0.7)
    .memory(AgentMemoryStrategy.slidingWindow(20))
    .tool(searchKnowledgeBase)
    .tool(escalateToHuman)
    .exitCondition(({ finishReason, toolCall }) => finishReason === 'stop' || toolCall('escalateToHuman'));

const SEARCH: ScriptedStep = {
  toolCalls: [{ id: 'c1', name: 'searchKnowledgeBase', arguments: { query: 'locked account' } }],
};
const ESCALATE: ScriptedStep = {
  text: 'I hand you over.',
  toolCalls: [{ id: 'c2', name: 'escalateToHuman', arguments: { reason: 'wants a person' } }],
};
const ANSWER: ScriptedStep = { tokens: ['Unlock it ', 'under Settings, ', 'Security.'] };

function bootstrap(myLlmProvider: LlmProvider) {
  const search = new KBSearchOperator();
  const escalate = new EscalateOperator();
  const registry = OperatorRegistry.builder()
    .register('KBSearchOperator', search)
    .register('EscalateOperator', escalate)
    .register('llmChat', new LlmChatOperator(myLlmProvider))
    .register('llmStreamingChat', new LlmStreamingChatOperator(myLlmProvider))
    .build();
  return { registry, search, escalate };
}

/** The reference's source, word for word. */
const dslSource = `agent customerSupport {
  model = "gpt-4o"
  system_prompt = "You are a helpful support agent."
  max_turns = 15
  temperature = 0.7
  memory = sliding_window(20)

  tool searchKnowledgeBase : KBSearchOperator {
    description = "Search the knowledge base"
    input { query = tool_args.query }
  }

  tool escalateToHuman : EscalateOperator {
    description = "Escalate to a human agent"
    input { reason = tool_args.reason }
  }

  exit_condition = finish_reason == "stop" || tool_call("escalateToHuman")
}`;

describe('the worked example in the agent language', () => {
  const twin = (): AgentBuilder =>
    AgentBuilder.create('customerSupport')
      .model('gpt-4o')
      .systemPrompt('You are a helpful support agent.')
      .maxTurns(15)
      .temperature(0.7)
      .memory(AgentMemoryStrategy.slidingWindow(20))
      .tool('searchKnowledgeBase', {
        operator: 'KBSearchOperator',
        description: 'Search the knowledge base',
        input: { query: 'tool_args.query' },
      })
      .tool('escalateToHuman', {
        operator: 'EscalateOperator',
        description: 'Escalate to a human agent',
        input: { reason: 'tool_args.reason' },
      })
      .exitCondition('finish_reason == "stop" || tool_call("escalateToHuman")');

  it('runs by the reference’s bootstrap', async () => {
    const myLlmProvider = new ScriptedProvider([SEARCH, ANSWER]);
    const registry = OperatorRegistry.builder()
      .register('KBSearchOperator', new KBSearchOperator())
      .register('EscalateOperator', new EscalateOperator())
      .register('llmChat', new LlmChatOperator(myLlmProvider))
      .build();

    const def = new AgentDslCompiler(registry).compile(dslSource);
    const agent = new AgentLoopOperator('supportAgent', def, registry);

    const result = await agent.execute('My account is locked', OperatorContext.root());
    expect(result.content).toBe('Unlock it under Settings, Security.');
    expect(result.finishReason).toBe('stop');

    expect(myLlmProvider.requests[0]?.tools).toEqual([
      {
        name: 'searchKnowledgeBase',
        description: 'Search the knowledge base',
        parameters: { ...text('query'), additionalProperties: false },
      },
      {
        name: 'escalateToHuman',
        description: 'Escalate to a human agent',
        parameters: { ...text('reason'), additionalProperties: false },
      },
    ]);
  });

  it('is equal to its builder twin, with and without the registry', () => {
    const { registry } = bootstrap(new ScriptedProvider([]));
    const def = new AgentDslCompiler(registry).compile(dslSource);
    expect(def).toEqual(twin().build());
    expect(new AgentDslCompiler().compile(dslSource)).toEqual(def);
    expect(AgentBuilder.from(def).build()).toEqual(def);
  });

  it.each([
    ['an answer', [SEARCH, ANSWER]],
    ['the exit condition', [SEARCH, ESCALATE]],
  ])('runs as its builder twin does, up to %s', async (_, script) => {
    const outputs = [];
    for (const define of [() => new AgentDslCompiler().compile(dslSource), () => twin().build()]) {
      const { registry } = bootstrap(new ScriptedProvider(script));
      const agent = new AgentLoopOperator('supportAgent', define(), registry);
      const { runId, ...output } = await agent.execute('My account is locked', OperatorContext.root());
      expect(runId).toBeTypeOf('string');
      outputs.push(output);
    }
    expect(outputs[0]).toEqual(outputs[1]);
  });

  it('compiles without llmChat, and fails at the first turn', async () => {
    const registry = OperatorRegistry.builder()
      .register('KBSearchOperator', new KBSearchOperator())
      .register('EscalateOperator', new EscalateOperator())
      .build();
    const def = new AgentDslCompiler(registry).compile(dslSource);
    const run = new AgentLoopOperator('supportAgent', def, registry).execute('Hi', OperatorContext.root());
    await expect(run).rejects.toThrow(`Unknown operator "${CHAT_OPERATOR}"`);
  });
});

describe('the worked example', () => {
  it('answers, and gives content and the provider’s finish reason', async () => {
    const provider = new ScriptedProvider([SEARCH, ANSWER]);
    const { registry, search, escalate } = bootstrap(provider);
    const def = customerSupport().build();
    const agent = new AgentLoopOperator('supportAgent', def, registry);

    const result = await agent.execute('My account is locked', OperatorContext.root());

    expect(result.content).toBe('Unlock it under Settings, Security.');
    expect(result.finishReason).toBe('stop');
    expect(result).toMatchObject({ exitReason: 'stop', turnsUsed: 2 });
    expect([search.queries, escalate.reasons]).toEqual([['locked account'], []]);
    expect(result.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(Object.keys(result.toolResults)).toEqual(['c1']);
    expect(result.checkpoint).toMatchObject({ turnCount: 2, toolResults: result.toolResults });
  });

  it('tells the model what the definition says', async () => {
    const provider = new ScriptedProvider([ANSWER]);
    const { registry } = bootstrap(provider);
    await customerSupport().toOperator('supportAgent', registry).execute('Hi', OperatorContext.root());
    expect(provider.requests[0]).toMatchObject({
      model: 'gpt-4o',
      temperature: 0.7,
      messages: [
        { role: 'system', content: 'You are a helpful support agent.' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [
        { name: 'searchKnowledgeBase', description: 'Search the knowledge base', parameters: text('query') },
        { name: 'escalateToHuman', description: 'Escalate to a human agent', parameters: text('reason') },
      ],
    });
  });

  it('ends by its exit condition, without another call of the model', async () => {
    const provider = new ScriptedProvider([ESCALATE]);
    const { registry, escalate } = bootstrap(provider);
    const agent = customerSupport().toOperator('supportAgent', registry);
    const result = await agent.execute('I want a person', OperatorContext.root());
    expect(result).toMatchObject({
      content: 'I hand you over.',
      finishReason: 'tool_calls',
      exitReason: 'exit_condition',
      turnsUsed: 1,
      toolResults: { c2: { queued: true } },
    });
    expect(escalate.reasons).toEqual(['wants a person']);
  });

  it('throws at max_turns, with a checkpoint that goes on', async () => {
    const provider = new ScriptedProvider([SEARCH, ANSWER]);
    const { registry, search } = bootstrap(provider);
    const agent = customerSupport().maxTurns(1).toOperator('supportAgent', registry);
    const error: unknown = await agent
      .execute('Locked', OperatorContext.root())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MaxTurnsExceededException);
    const { checkpoint } = error as MaxTurnsExceededException;
    const result = await agent.resume(checkpoint!, OperatorContext.root(), { maxTurns: 2 });
    expect([result.content, result.turnsUsed]).toEqual(['Unlock it under Settings, Security.', 2]);
    expect(search.queries).toHaveLength(1);
  });

  it('fails at the first turn, not before, where no llmChat is registered', async () => {
    const registry = OperatorRegistry.builder()
      .register('KBSearchOperator', new KBSearchOperator())
      .register('EscalateOperator', new EscalateOperator())
      .build();
    const agent = customerSupport().toOperator('supportAgent', registry);
    const run = agent.execute('Hi', OperatorContext.root());
    await expect(run).rejects.toThrow(UnknownOperatorException);
    await expect(run).rejects.toThrow(`Unknown operator "${CHAT_OPERATOR}"`);
  });
});

describe('the streaming variant', () => {
  it('emits chunks through a channel, done last', async () => {
    const { registry } = bootstrap(new ScriptedProvider([SEARCH, ANSWER]));
    const agent = customerSupport().streaming(true).toStreamingOperator('supportAgent', registry);
    const channel = new NodeChannel<AgentStreamChunk>();
    const running = agent.execute('My account is locked', channel, OperatorContext.root()).then(
      () => channel.close(),
      (error: unknown) => channel.fail(error),
    );
    const chunks: AgentStreamChunk[] = [];
    for await (const chunk of channel) chunks.push(chunk);
    await running;

    const tool = { toolName: 'searchKnowledgeBase', toolCallId: 'c1', turnNumber: 1 };
    expect(chunks.slice(0, -1)).toEqual([
      { type: 'tool_start', ...tool },
      { type: 'tool_end', success: true, ...tool },
      { type: 'token', text: 'Unlock it ', turnNumber: 2 },
      { type: 'token', text: 'under Settings, ', turnNumber: 2 },
      { type: 'token', text: 'Security.', turnNumber: 2 },
    ]);
    expect(chunks.at(-1)).toMatchObject({
      type: 'done',
      finalOutput: { content: 'Unlock it under Settings, Security.', finishReason: 'stop', turnsUsed: 2 },
    });
  });
});
