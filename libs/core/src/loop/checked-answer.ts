import { AgentException } from '../errors/agent.exception.js';
import type { LlmResponse } from '../llm/llm.provider.js';

/**
 * An answer as the contract of `LlmProvider` has it. Providers and chat operators may be of the application's making.
 * @throws AgentException `invalid_answer` naming the operator and what is missing.
 */
export function checkedAnswer(answer: unknown, operatorName: string): LlmResponse {
  const fault = faultOf(answer);
  if (fault === undefined) return answer as LlmResponse; // checked just now
  throw new AgentException(
    `The operator "${operatorName}" gave an answer ${fault}. It must give { message: { role: 'assistant', content, ` +
      `toolCalls? }, finishReason, usage? }, as LlmProvider says.`,
    { code: 'invalid_answer' },
  );
}

function faultOf(answer: unknown): string | undefined {
  if (!isRecord(answer)) return `that is ${answer === null ? 'null' : typeof answer}`;
  const { message, finishReason } = answer;
  if (typeof finishReason !== 'string') return 'without a finishReason';
  if (!isRecord(message) || message.role !== 'assistant') return 'without a message of role assistant';
  if (message.content !== null && typeof message.content !== 'string')
    return 'whose content is neither text nor null';
  const { toolCalls } = message;
  if (toolCalls === undefined) return undefined;
  const isCall = (call: unknown): boolean =>
    isRecord(call) && [call.id, call.name, call.arguments].every((field) => typeof field === 'string');
  return Array.isArray(toolCalls) && toolCalls.every(isCall)
    ? undefined
    : 'with a tool call that lacks id, name or arguments (each a text)';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
