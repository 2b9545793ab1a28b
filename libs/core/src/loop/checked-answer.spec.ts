import { describe, expect, it } from 'vitest';
import { AgentBuilder } from '../definition/agent.builder.js';
import { OperatorContext } from '../operators/operator.context.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import { checkedAnswer } from './checked-answer.js';

const message = { role: 'assistant', content: 'hi' };

describe('an answer', () => {
  it.each([
    { message, finishReason: 'stop' },
    {
      message: { role: 'assistant', content: null, toolCalls: [{ id: '', name: 'a', arguments: '' }] },
      finishReason: '',
    },
  ])('that has what it needs is given back: %j', (answer) => {
    expect(checkedAnswer(answer, 'llmChat')).toBe(answer);
  });

  it.each([
    [undefined, /that is undefined/],
    [null, /that is null/],
    [[], /that is object/],
    [{ message }, /finishReason/],
    [{ finishReason: 'stop' }, /role assistant/],
    [{ message: { role: 'user', content: '' }, finishReason: 'stop' }, /role assistant/],
    [{ message: { role: 'assistant' }, finishReason: 'stop' }, /content/],
    [{ message: { ...message, toolCalls: 5 }, finishReason: 'stop' }, /tool call/],
    [{ message: { ...message, toolCalls: [{ id: 'a', name: 'b' }] }, finishReason: 'stop' }, /arguments/],
  ])('%j is refused', (answer, words) => {
    expect(() => checkedAnswer(answer, 'llmChat')).toThrow(words);
  });

  it('of an operator that is no model fails the run and says so', async () => {
    const registry = new OperatorRegistry().register('llmChat', { execute: () => 'not an answer' });
    const agent = AgentBuilder.create('a').model('m').toOperator('a', registry);
    await expect(agent.execute('hi', OperatorContext.root())).rejects.toMatchObject({
      code: 'invalid_answer',
      message: expect.stringMatching(/"llmChat".*string/),
    });
  });
});
