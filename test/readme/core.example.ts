import {
  AgentBuilder,
  AgentLoopOperator,
  AgentMemoryStrategy,
  LlmChatOperator,
  NodeChannel,
  OperatorContext,
  OperatorRegistry,
  type AgentOutput,
  type AgentStreamChunk,
  type LlmProvider,
  type Operator,
  type StreamingAgentLoopOperator,
} from '@nestor/core';

class SearchArticles implements Operator {
  execute(): unknown {
    return { article: 'Unlock your account under Settings.' };
  }
}

class EscalateToHuman implements Operator {
  execute(): unknown {
    return { queued: true };
  }
}

export async function askOnce(provider: LlmProvider): Promise<AgentOutput> {
  const registry = OperatorRegistry.builder()
    .register('searchArticles', new SearchArticles())
    .register('escalateToHuman', new EscalateToHuman())
    .register('llmChat', new LlmChatOperator(provider))
    .build();

  const def = AgentBuilder.create('customerSupport')
    .model('gpt-4o-mini')
    .systemPrompt('You are a helpful support agent.')
    .maxTurns(15)
    .memory(AgentMemoryStrategy.slidingWindow(20))
    .tool('searchArticles', { description: 'Search the knowledge base' })
    .tool('escalateToHuman')
    .exitCondition(({ finishReason, toolCall }) => finishReason === 'stop' || toolCall('escalateToHuman'))
    .build();

  const agent = new AgentLoopOperator('supportAgent', def, registry);
  const result = await agent.execute('My account is locked', OperatorContext.root());
  return result;
}

export async function streamOnce(streamingAgent: StreamingAgentLoopOperator): Promise<void> {
  const channel = new NodeChannel<AgentStreamChunk>();
  const running = streamingAgent.execute('My account is locked', channel, OperatorContext.root()).then(
    () => channel.close(),
    (error: unknown) => channel.fail(error),
  );
  for await (const chunk of channel) {
    if (chunk.type === 'token') process.stdout.write(chunk.text);
  }
  await running;
}
