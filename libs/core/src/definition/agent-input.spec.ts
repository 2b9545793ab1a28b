import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AgentException } from '../errors/agent.exception.js';
import { AgentInput } from './agent-input.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);
const ROLES = new Set(['system', 'user', 'assistant', 'tool']);
const user = (content: string): object => ({ role: 'user', content });

describe('AgentInput.from', () => {
  it.each([
    ['a text', 'Hello', [user('Hello')]],
    ['a message', { role: 'assistant', content: 'Yes.' }, [{ role: 'assistant', content: 'Yes.' }]],
    [
      'texts and messages',
      ['One', { role: 'assistant', content: null }, 'Two'],
      [user('One'), { role: 'assistant', content: null }, user('Two')],
    ],
    ['an input', { messages: [user('Hello')] }, [user('Hello')]],
    ['a message without content', { role: 'user' }, [{ role: 'user', content: null }]],
    ['an object', { order: 17, open: true }, [user('{"order":17,"open":true}')]],
    ['a number', 42, [user('42')]],
    ['false', false, [user('false')]],
    ['a big number', 2n ** 64n, [user('"18446744073709551616"')]],
    ['a date', new Date(0), [user('"1970-01-01T00:00:00.000Z"')]],
    ['a map in a list', [new Map([['a', 1n]])], [user('{"a":"1"}')]],
  ])('takes %s', (_, value, messages) => {
    expect(AgentInput.from(value)).toEqual({ messages });
  });

  it('takes an object that contains itself', () => {
    const node: { name: string; self?: unknown } = { name: 'n' };
    node.self = node;
    expect(AgentInput.from(node).messages).toEqual([user('{"name":"n","self":"[Circular]"}')]);
  });

  it('gives its own result back as it is', () => {
    const input = AgentInput.from(['Hello', { role: 'tool', content: 'x', toolCallId: 'c' }]);
    expect(AgentInput.from(input)).toEqual(input);
  });

  it('takes over the known fields of a message only', () => {
    const message = {
      role: 'assistant',
      content: 'Let me see.',
      parts: [
        { type: 'text', text: 'x' },
        { type: 'image', url: 'https://x.test/a.png', detail: 'low' },
      ],
      toolCalls: [{ id: 'c1', name: 'find', arguments: '{}' }],
      toolCallId: 'c0',
      reasoning: 'Hm.',
    };
    expect(AgentInput.from({ ...message, name: 'x', tool_calls: [], __proto__: { y: 1 } }).messages).toEqual([
      message,
    ]);
  });

  it('does not change the message it is given, nor give it away', () => {
    const message = Object.freeze({ role: 'user', content: 'Hello' });
    expect(AgentInput.from(message).messages[0]).not.toBe(message);
  });

  it.each([
    [null, 'got null.'],
    [undefined, 'got undefined.'],
    [[], 'got an empty list.'],
    [{ messages: [] }, 'got an empty list.'],
    [['Hi', null], 'got null.'],
    [() => 7, 'got () => 7.'],
    [Symbol('hi'), 'got Symbol(hi).'],
    [NaN, 'got NaN.'],
    [new Date(NaN), 'got an object without a JSON form.'],
    [{ role: 'robot', content: 'x' }, 'got a message with role "robot".'],
    [{ role: undefined }, 'got a message with role undefined.'],
    [{ role: 'user', content: 7 }, 'got a message with content 7.'],
    [{ role: 'user', content: 7n }, 'got a message with content "7".'],
    [
      { role: 'user', content: [{ type: 'text', text: 'x' }] },
      'got a message with content [{"type":"text","text":"x"}].',
    ],
    [{ role: 'tool', content: 'x' }, 'got a tool message without toolCallId.'],
    [{ role: 'tool', content: 'x', toolCallId: 7 }, 'got a toolCallId 7.'],
    [{ role: 'user', content: 'x', reasoning: {} }, 'got a reasoning {}.'],
    [{ role: 'user', content: 'x', parts: 'y' }, 'got a message with parts "y".'],
    [
      { role: 'user', content: 'x', parts: [{ type: 'audio' }] },
      'got a message with {"type":"audio"} among its parts.',
    ],
    [
      { role: 'user', content: 'x', parts: [{ type: 'image' }] },
      'got a message with {"type":"image"} among its parts.',
    ],
    [{ role: 'assistant', toolCalls: {} }, 'got a message with toolCalls {}.'],
    [
      { role: 'assistant', toolCalls: [{ id: 'c', name: 'f', arguments: {} }] },
      'got a message with {"id":"c","name":"f","arguments":{}} among its toolCalls.',
    ],
    [{ role: 'assistant', toolCalls: [null] }, 'got a message with null among its toolCalls.'],
    [{ role: 'x'.repeat(500) }, `got a message with role "${'x'.repeat(59)}….`],
  ])('refuses %o, naming what does not fit and what would', (value, message) => {
    const from = (): unknown => AgentInput.from(value);
    expect(from).toThrow(AgentException);
    expect(from).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(from).toThrow(message);
    expect(from).toThrow(
      /^The input of an agent must be a text, a message such as .* Roles are system, user, assistant, tool;/,
    );
  });

  it('gives messages or says what is wrong, whatever it is given', () => {
    const message = fc.record(
      {
        role: fc.oneof(fc.constantFrom(...ROLES), fc.anything()),
        content: fc.anything(),
        parts: fc.anything(),
        toolCalls: fc.anything(),
        toolCallId: fc.anything(),
      },
      { requiredKeys: ['role'] },
    );
    const value = fc.oneof(
      fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }),
      message,
      fc.array(message),
    );
    const outcomeOf = (given: unknown): string => {
      try {
        const { messages } = AgentInput.from(given);
        const fit = messages.every(
          ({ role, content }) => ROLES.has(role) && (content === null || typeof content === 'string'),
        );
        return fit ? 'messages' : JSON.stringify(messages);
      } catch (error) {
        return error instanceof AgentException ? error.code : String(error);
      }
    };
    fc.assert(
      fc.property(value, (given) => {
        expect(['messages', 'invalid_input']).toContain(outcomeOf(given));
      }),
      { numRuns },
    );
  });
});
