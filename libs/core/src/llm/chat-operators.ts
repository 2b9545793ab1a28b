import { AgentException } from '../errors/agent.exception.js';
import type { Operator, StreamingOperator } from '../operators/operator.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import type { LlmRequest, LlmResponse, LlmStreamChunk } from './llm.provider.js';

/** The names under which a loop finds its model. */
export const CHAT_OPERATOR = 'llmChat';
export const STREAMING_CHAT_OPERATOR = 'llmStreamingChat';

/** @throws UnknownOperatorException if there is none; AgentException `invalid_operator` if it streams. */
export function chatOperator(registry: OperatorRegistry): Operator<LlmRequest, LlmResponse> {
  const operator = registry.get(CHAT_OPERATOR);
  if ('streaming' in operator) throw wrongKind(CHAT_OPERATOR, 'an operator that does not stream');
  // What is registered under this name takes requests: that is the contract of the name.
  return operator as Operator<LlmRequest, LlmResponse>;
}

/** @throws UnknownOperatorException if there is none; AgentException `invalid_operator` if it does not stream. */
export function streamingChatOperator(
  registry: OperatorRegistry,
): StreamingOperator<LlmRequest, LlmStreamChunk> {
  const operator = registry.get(STREAMING_CHAT_OPERATOR);
  if (!('streaming' in operator)) throw wrongKind(STREAMING_CHAT_OPERATOR, 'a streaming operator');
  return operator;
}

function wrongKind(name: string, expected: string): AgentException {
  return new AgentException(`The operator registered as "${name}" must be ${expected}.`, {
    code: 'invalid_operator',
  });
}
