import { describe, expect, it } from 'vitest';
import type { LlmMessage } from './llm-message.js';
import { MessageGroups } from './message-groups.js';

const system: LlmMessage = { role: 'system', content: 'Be brief.' };
const late: LlmMessage = { role: 'system', content: 'It is Monday.' };
const hello: LlmMessage = { role: 'user', content: 'hello' };
const asks: LlmMessage = {
  role: 'assistant',
  content: null,
  toolCalls: [
    { id: 'c1', name: 'one', arguments: '{}' },
    { id: 'c2', name: 'two', arguments: '{}' },
  ],
};
const first: LlmMessage = { role: 'tool', content: '1', toolCallId: 'c1' };
const second: LlmMessage = { role: 'tool', content: '2', toolCallId: 'c2' };
const done: LlmMessage = { role: 'assistant', content: 'done' };
const thanks: LlmMessage = { role: 'user', content: 'thanks' };

describe('MessageGroups', () => {
  const groups = new MessageGroups([system, hello, asks, first, second, late, done, thanks]);

  it('keeps a call and its results in one group', () => {
    expect([0, 1, 2, 3, 4].map((group) => groups.startOf(group))).toEqual([1, 2, 6, 7, 8]);
    expect(groups.between(1, 2)).toEqual([asks, first, second]);
    expect(groups.countBetween(0, 2)).toBe(4);
    expect(groups.countBetween(2, 4)).toBe(2);
  });

  it('takes the last user message as the beginning of the current turn', () => {
    expect(groups.currentTurn).toBe(3);
  });

  it('takes the last group as the current turn where nobody has asked', () => {
    expect(new MessageGroups([system, done, asks, first, second]).currentTurn).toBe(1);
    expect(new MessageGroups([system]).currentTurn).toBe(0);
  });

  it('shows all system messages at their place', () => {
    expect(groups.shownFrom(1)).toEqual([system, asks, first, second, late, done, thanks]);
    expect(groups.shownFrom(2)).toEqual([system, late, done, thanks]);
    expect(groups.shownFrom(4)).toEqual([system, late]);
  });

  it('puts a summary after the leading system messages', () => {
    const summary: LlmMessage = { role: 'system', content: 'Before: greetings.' };
    expect(groups.shownFrom(3, summary)).toEqual([system, summary, late, thanks]);
  });

  it('leaves out a group that the window would cut', () => {
    expect([1, 2, 3, 4, 5, 6, 9].map((size) => groups.windowStart(size, 0))).toEqual([3, 2, 2, 2, 1, 0, 0]);
  });

  it('never shows a result that nothing precedes', () => {
    const orphaned = new MessageGroups([system, first, hello]);
    expect(orphaned.shownFrom(0)).toEqual([system, hello]);
  });

  it('follows what is appended and replaced', () => {
    const growing = new MessageGroups([hello]);
    for (const message of [asks, first, second]) growing.append(message);
    const shorter: LlmMessage = { ...first, content: 'cut' };
    growing.replace(2, shorter);
    expect(growing.shownFrom(growing.currentTurn)).toEqual([hello, asks, shorter, second]);
  });
});
