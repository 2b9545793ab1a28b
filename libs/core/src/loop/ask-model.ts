import { AgentException } from '../errors/agent.exception.js';
import { NodeChannel } from '../channel/node.channel.js';
import {
  CHAT_OPERATOR,
  chatOperator,
  STREAMING_CHAT_OPERATOR,
  streamingChatOperator,
} from '../llm/chat-operators.js';
import type { LlmRequest, LlmResponse, LlmStreamChunk, ToolChoice } from '../llm/llm.provider.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { AgentRun } from './agent-run.js';
import { checkedAnswer } from './checked-answer.js';
import { onAbort } from '../cancellation/on-abort.js';
import { reservedTokens } from './reserved-tokens.js';

/** One model call: chooses what to show, asks, counts, and tells the listeners. */
export async function askModel(run: AgentRun, toolChoice?: ToolChoice): Promise<LlmResponse> {
  const request = await buildRequest(run, toolChoice);
  const startedAt = performance.now();
  run.llmCalls += 1;
  const given = await (run.sink ? stream(run, request) : chat(run, request));
  const answer = checkedAnswer(given, run.sink ? STREAMING_CHAT_OPERATOR : CHAT_OPERATOR);
  run.addUsage(answer.usage);
  run.scope.throwIfAborted();
  if (run.listeners.active) {
    run.listeners.tell('onAgentLlmCalled', {
      turnNumber: run.turn,
      model: request.model,
      promptTokens: answer.usage?.promptTokens ?? 0,
      completionTokens: answer.usage?.completionTokens ?? 0,
      latencyMs: performance.now() - startedAt,
      finishReason: answer.finishReason,
    });
  }
  return answer;
}

async function buildRequest(run: AgentRun, toolChoice: ToolChoice | undefined): Promise<LlmRequest> {
  const { def, definitions, responseFormat } = run.agent;
  const view = run.memory.view({
    reservedTokens: reservedTokens(run.agent, run.services.tokenEstimator),
    signal: run.scope.signal,
  });
  return {
    model: def.model,
    messages: view instanceof Promise ? await run.scope.race(view) : view,
    tools: definitions,
    toolChoice,
    temperature: def.temperature ?? undefined,
    maxTokens: def.maxTokens ?? undefined,
    responseFormat,
    signal: run.scope.signal,
  };
}

function modelContext(run: AgentRun, operatorRef: string): OperatorContext {
  return run.context.child(
    { nodeId: operatorRef, operatorRef, turnNumber: run.turn },
    () => run.scope.signal,
  );
}

async function chat(run: AgentRun, request: LlmRequest): Promise<LlmResponse> {
  const answer = chatOperator(run.agent.registry).execute(request, modelContext(run, CHAT_OPERATOR));
  return answer instanceof Promise ? run.scope.race(answer) : answer;
}

async function stream(run: AgentRun, request: LlmRequest): Promise<LlmResponse> {
  const operator = streamingChatOperator(run.agent.registry);
  const channel = new NodeChannel<LlmStreamChunk>(run.agent.def.streamingBufferCapacity);
  const sending = (async () =>
    operator.execute(request, channel, modelContext(run, STREAMING_CHAT_OPERATOR)))().then(
    () => channel.close(),
    (error: unknown) => channel.fail(error),
  );
  const stopListening = onAbort(run.scope.signal, () => channel.fail(run.scope.reason));
  try {
    return await readStream(run, channel);
  } finally {
    stopListening();
    await channel.return();
    if (!run.scope.aborted) await sending;
  }
}

async function readStream(run: AgentRun, channel: NodeChannel<LlmStreamChunk>): Promise<LlmResponse> {
  let answer: LlmResponse | undefined;
  for (;;) {
    let chunk = channel.poll();
    if (!chunk) {
      const next = await channel.next();
      if (next.done) break;
      chunk = next.value;
    }
    if (chunk.type === 'token') {
      const behind = run.emit({ type: 'token', text: chunk.text, turnNumber: run.turn });
      if (behind) await behind;
    } else if (chunk.type === 'finish') {
      answer = chunk.response;
    }
  }
  if (answer) return answer;
  throw new AgentException(
    `The operator "${STREAMING_CHAT_OPERATOR}" ended its stream without a finish chunk. A provider's stream must end with exactly one.`,
    { code: 'incomplete_stream' },
  );
}
