import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import { ConversationMemory } from './conversation.memory.js';

const messages: readonly LlmMessage[] = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
const request = { reservedTokens: 0, signal: new AbortController().signal };

describe('ConversationMemory', () => {
  it('makes each of the built-in memories', async () => {
    const memories: readonly ConversationMemory[] = [
      ConversationMemory.full(messages),
      ConversationMemory.slidingWindow(messages, 2),
      ConversationMemory.tokenBudget(messages, 5),
      ConversationMemory.tokenBudget(messages, 5, { estimate: () => 2, estimateText: () => 0 }),
      ConversationMemory.summary(messages, async () => 'letters', 1),
      ConversationMemory.summary(messages, undefined, 1),
    ];
    const views = await Promise.all(memories.map(async (memory) => memory.view(request)));
    expect(views.map((view) => view.map(({ content }) => content))).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
      ['c'],
      ['b', 'c'],
      ['Summary of the conversation so far:\nletters', 'c'],
      ['c'],
    ]);
  });
});
