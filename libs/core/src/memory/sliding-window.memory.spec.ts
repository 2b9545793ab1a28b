import { describe, expect, it } from 'vitest';
import type { LlmMessage } from '../messages/llm-message.js';
import { SlidingWindowMemory } from './sliding-window.memory.js';

const system: LlmMessage = { role: 'system', content: 'Be brief.' };
const user = (content: string): LlmMessage => ({ role: 'user', content });
const says = (content: string): LlmMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): LlmMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const result = (id: string): LlmMessage => ({ role: 'tool', content: `result of ${id}`, toolCallId: id });

describe('SlidingWindowMemory', () => {
  it('B78: shows whole groups only, all system messages and the last question', () => {
    const [hello, ab, a, b, x, q] = [
      user('u'),
      calls('a', 'b'),
      result('a'),
      result('b'),
      says('x'),
      user('q'),
    ];
    const views = [1, 2, 3, 4, 5, 6].map((size) =>
      new SlidingWindowMemory([system, hello, ab, a, b, x, q], size).view(),
    );
    expect(views).toEqual([
      [system, q],
      [system, x, q],
      [system, x, q],
      [system, x, q],
      [system, ab, a, b, x, q],
      [system, hello, ab, a, b, x, q],
    ]);
  });

  it.each([1, 2])(
    'B84: keeps the question through the tool rounds of its own turn, with a window of %i',
    (size) => {
      const question = user('where is my parcel?');
      const memory = new SlidingWindowMemory([system, user('hi'), says('hello'), question], size);
      const shown: LlmMessage[] = [system, question];
      if (size === 2) shown.splice(1, 0, says('hello'));
      expect(memory.view()).toEqual(shown);
      const turn: LlmMessage[] = [];
      for (const id of ['r1', 'r2', 'r3', 'r4']) {
        turn.push(calls(id), result(id));
        for (const message of turn.slice(-2)) memory.append(message);
        expect(memory.view()).toEqual([system, question, ...turn]);
      }
      expect(memory.messages()).toEqual([system, user('hi'), says('hello'), question, ...turn]);
    },
  );

  it('B90: shows the newest messages, in the order of time', () => {
    const stored = Array.from({ length: 100 }, (_, index) =>
      index % 2 ? says(`m${index + 1}`) : user(`m${index + 1}`),
    );
    const shown = new SlidingWindowMemory(stored, 10).view();
    expect(shown.map(({ content }) => content)).toEqual([
      'm91',
      'm92',
      'm93',
      'm94',
      'm95',
      'm96',
      'm97',
      'm98',
      'm99',
      'm100',
    ]);
  });

  it('moves on when the next question comes', () => {
    const memory = new SlidingWindowMemory([system, user('one')], 1);
    memory.append(calls('a'));
    memory.append(result('a'));
    expect(memory.view()).toHaveLength(4);
    memory.append(user('two'));
    expect(memory.view()).toEqual([system, user('two')]);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a window of %d', (size) => {
    expect(() => new SlidingWindowMemory([], size)).toThrow(
      `The size of a sliding window must be an integer >= 1, got ${size}.`,
    );
  });
});
