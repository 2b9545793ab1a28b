import { describe, expect, it } from 'vitest';
import { UnknownOperatorException } from '../errors/unknown-operator.exception.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import {
  CHAT_OPERATOR,
  chatOperator,
  STREAMING_CHAT_OPERATOR,
  streamingChatOperator,
} from './chat-operators.js';
import { LlmChatOperator } from './llm-chat.operator.js';
import { LlmStreamingChatOperator } from './llm-streaming-chat.operator.js';
import { ScriptedProvider } from './scripted.provider.js';

const provider = new ScriptedProvider([]);
const chat = new LlmChatOperator(provider);
const streaming = new LlmStreamingChatOperator(provider);

describe('the chat operators of a registry', () => {
  it('are found under the names of the contract', () => {
    const registry = new OperatorRegistry().register('llmChat', chat).register('llmStreamingChat', streaming);
    expect([CHAT_OPERATOR, STREAMING_CHAT_OPERATOR]).toEqual(['llmChat', 'llmStreamingChat']);
    expect(chatOperator(registry)).toBe(chat);
    expect(streamingChatOperator(registry)).toBe(streaming);
  });

  it.each([
    ['llmChat', chatOperator],
    ['llmStreamingChat', streamingChatOperator],
  ])('%s: an unknown operator where there is none', (name, find) => {
    const look = (): unknown => find(new OperatorRegistry().register('search', { execute: () => 1 }));
    expect(look).toThrow(UnknownOperatorException);
    expect(look).toThrow(`Unknown operator "${name}"`);
  });

  it('are refused where one stands in the place of the other', () => {
    const registry = new OperatorRegistry().register('llmChat', streaming).register('llmStreamingChat', chat);
    const refused = (what: string): unknown =>
      expect.objectContaining({ code: 'invalid_operator', message: what });
    expect(() => chatOperator(registry)).toThrow(
      refused('The operator registered as "llmChat" must be an operator that does not stream.'),
    );
    expect(() => streamingChatOperator(registry)).toThrow(
      refused('The operator registered as "llmStreamingChat" must be a streaming operator.'),
    );
  });
});
