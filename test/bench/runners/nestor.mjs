// Nestor's engine without Nest: a registry, the OpenAI provider, and one agent for each model name.
import {
  AgentBuilder,
  LlmChatOperator,
  LlmStreamingChatOperator,
  NodeChannel,
  OpenAiProvider,
  OperatorContext,
  OperatorRegistry,
  toInputSchema,
} from '@nestor/core';
import { forecastInput } from './forecast-input.mjs';

/** The tools always answer the same; the guard is on, but must not end the run. */
const NO_LOOP = 1_000_000;

export async function create({ baseURL, tools }) {
  const provider = new OpenAiProvider({ baseUrl: baseURL });
  const registry = new OperatorRegistry();
  registry.register('llmChat', new LlmChatOperator(provider));
  registry.register('llmStreamingChat', new LlmStreamingChatOperator(provider));
  const input = toInputSchema(forecastInput, 'forecast tools');
  for (const { name, description, execute } of tools) {
    registry.register(name, { metadata: { description, input }, execute });
  }

  const agents = new Map();
  function agentFor(model, maxTurns) {
    let agent = agents.get(model);
    if (!agent) {
      const builder = AgentBuilder.create('weather')
        .model(model)
        .maxTurns(maxTurns)
        .repeatedCallLimit(NO_LOOP);
      for (const { name } of tools) builder.tool(name);
      agent = {
        loop: builder.toOperator('weather', registry),
        streamingLoop: builder.toStreamingOperator('weather', registry),
      };
      agents.set(model, agent);
    }
    return agent;
  }

  return {
    async run(messages, { model, maxTurns }) {
      const { loop } = agentFor(model, maxTurns);
      return (await loop.execute(messages, OperatorContext.root())).content;
    },

    async stream(messages, { model, maxTurns, onText }) {
      const { streamingLoop } = agentFor(model, maxTurns);
      const channel = new NodeChannel();
      const done = streamingLoop.execute(messages, channel, OperatorContext.root()).then(
        () => channel.close(),
        (error) => channel.fail(error),
      );
      for await (const chunk of channel) if (chunk.type === 'token') onText(chunk.text);
      await done;
    },

    close: () => provider.close(),
  };
}
