import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LlmException } from '../../errors/llm.exception.js';
import { parseCompletion } from './completion.js';
import { parseExactJson } from '../../operators/exact-json.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

const body = (message: unknown, finish_reason: unknown = 'stop'): Record<string, unknown> => ({
  id: 'x',
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason }],
});

const call = { id: 'a', type: 'function', function: { name: 'ping', arguments: '{}' } };

function failure(json: unknown): LlmException {
  try {
    parseCompletion(json);
  } catch (error) {
    if (error instanceof LlmException) return error;
    throw error;
  }
  throw new Error('Expected an LlmException, but nothing was thrown.');
}

describe('parseCompletion', () => {
  it('B36: reads a whole completion', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(parseCompletion({ ...body({ role: 'assistant', content: 'hi' }), usage })).toEqual({
      message: { role: 'assistant', content: 'hi' },
      finishReason: 'stop',
      usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3, cachedTokens: 0, reasoningTokens: 0 },
    });
  });

  it('B40: keeps the reason of a message with calls as sent', () => {
    expect(parseCompletion(body({ content: null, tool_calls: [call] }, 'stop'))).toEqual({
      finishReason: 'stop',
      message: {
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'a', name: 'ping', arguments: '{}' }],
      },
    });
  });

  it('B19: takes arguments as an object, and generates missing ids', () => {
    const calls = [{ function: { name: 'w', arguments: { city: 'Paris' } } }, { ...call, id: '' }];
    const { toolCalls } = parseCompletion(body({ tool_calls: calls }, 'tool_calls')).message;
    expect(toolCalls).toMatchObject([
      { name: 'w', arguments: '{"city":"Paris"}' },
      { name: 'ping', arguments: '{}' },
    ]);
    expect(new Set(toolCalls?.map(({ id }) => id)).size).toBe(2);
  });

  it('B59: keeps large integers of an argument object, given the exact JSON', () => {
    const text =
      '{"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"id":9007199254740993}}}]}}]}';
    expect(parseCompletion(parseExactJson(text)).message.toolCalls?.[0]?.arguments).toBe(
      '{"id":"9007199254740993"}',
    );
  });

  it('reads the older function_call, reasoning, refusals and parts', () => {
    expect(parseCompletion(body({ function_call: { name: 'f', arguments: '{}' } })).message).toMatchObject({
      content: null,
      toolCalls: [{ name: 'f', arguments: '{}' }],
    });
    expect(parseCompletion(body({ content: [{ type: 'text', text: 'a' }], reasoning: 'r' })).message).toEqual(
      {
        role: 'assistant',
        content: 'a',
        reasoning: 'r',
      },
    );
    expect(parseCompletion(body({ content: null, refusal: 'no' })).message.content).toBe('no');
  });

  it('tells a missing finish reason from the message', () => {
    expect(parseCompletion(body({ content: 'a' }, null)).finishReason).toBe('stop');
    expect(parseCompletion(body({ tool_calls: [call] }, null)).finishReason).toBe('tool_calls');
  });

  it('B92: a message without text and calls has empty content', () => {
    expect(parseCompletion(body({ content: null }, 'stop')).message.content).toBe('');
  });

  it('a blocked answer needs no message', () => {
    expect(parseCompletion(body(null, 'content_filter'))).toMatchObject({
      finishReason: 'content_filter',
      message: { content: '' },
    });
  });

  it.each([
    ['no object', 'text', /no list of choices/],
    ['null', null, /no list of choices/],
    ['no choices', {}, /no list of choices/],
    ['an empty list of choices', { choices: [] }, /empty list of choices/],
    ['no message', body(null), /no message/],
    ['nothing in it', body({ content: null }, null), /no finish reason/],
    ['choices that are none', { choices: [null, 3] }, /no finish reason/],
  ])('refuses a body with %s', (_name, json, message) => {
    expect(failure(json)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(message) as unknown,
    });
  });

  it('throws the typed error for an error object that came with status 200', () => {
    expect(failure({ error: { message: 'slow down', code: 'rate_limit_exceeded' } })).toMatchObject({
      kind: 'rate_limit',
      retryable: true,
    });
    expect(failure({ choices: [{ index: 0, error: { message: 'upstream', code: 502 } }] })).toMatchObject({
      kind: 'unavailable',
    });
  });

  it('gives an answer or a typed error for any JSON', () => {
    const value = fc.jsonValue();
    const choice = fc.record({ index: value, message: value, finish_reason: value, error: value });
    const any = fc.oneof(value, fc.record({ choices: fc.array(choice), usage: value, error: value }));
    fc.assert(
      fc.property(any, (json) => {
        try {
          expect(parseCompletion(json).message.role).toBe('assistant');
        } catch (error) {
          if (!(error instanceof LlmException)) throw error;
        }
      }),
      { numRuns },
    );
  });
});
