import { describe, expect, it } from 'vitest';
import type { LlmStreamChunk } from '../llm.provider.js';
import { AnswerBuilder } from './answer.builder.js';

function build(...chunks: Record<string, unknown>[]): AnswerBuilder & { readonly emitted: LlmStreamChunk[] } {
  const emitted: LlmStreamChunk[] = [];
  const answer = new AnswerBuilder((chunk) => emitted.push(chunk));
  for (const chunk of chunks) answer.take(chunk);
  return Object.assign(answer, { emitted });
}

const delta = (value: unknown): Record<string, unknown> => ({ choices: [{ index: 0, delta: value }] });
const stop = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

describe('the message', () => {
  it('B92: has content null only beside calls', () => {
    const call = { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] };
    expect(build(delta(call), stop).finish(false)?.message.content).toBeNull();
    expect(build(delta({ ...call, content: 'x' }), stop).finish(false)?.message.content).toBe('x');
    expect(build(delta({ content: null }), stop).finish(false)?.message).toEqual({
      role: 'assistant',
      content: '',
    });
  });

  it.each(['reasoning_content', 'reasoning'])('has the reasoning that comes as %s', (name) => {
    const answer = build(delta({ [name]: 'let ' }), delta({ [name]: 'me' }), delta({ content: 'ok' }), stop);
    expect(answer.finish(false)?.message).toEqual({ role: 'assistant', content: 'ok', reasoning: 'let me' });
    expect(answer.emitted).toEqual([
      { type: 'reasoning', text: 'let ' },
      { type: 'reasoning', text: 'me' },
      { type: 'token', text: 'ok' },
    ]);
  });

  it('has reasoning once that comes under both names', () => {
    const answer = build(delta({ reasoning: 'r', reasoning_content: 'r' }), stop);
    expect(answer.finish(false)?.message.reasoning).toBe('r');
  });

  it('has a refusal as its text', () => {
    const answer = build(delta({ content: null, refusal: 'I will ' }), delta({ refusal: 'not.' }), stop);
    expect(answer.finish(false)?.message.content).toBe('I will not.');
  });

  it('has the text of content that comes in parts', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'image', text: 'x' },
      null,
      { type: 'text', text: 'b' },
    ];
    expect(build(delta({ content: parts }), stop).finish(false)?.message.content).toBe('ab');
  });

  it('has the call of the older function_call', () => {
    const answer = build(
      delta({ function_call: { name: 'f', arguments: '{"x"' } }),
      delta({ function_call: { arguments: ':1}' } }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'function_call' }] },
    );
    expect(answer.finish(false)).toMatchObject({
      finishReason: 'function_call',
      message: { content: null, toolCalls: [{ name: 'f', arguments: '{"x":1}' }] },
    });
  });

  it('has the older call beside an empty list of calls', () => {
    const answer = build(delta({ tool_calls: [], function_call: { name: 'f', arguments: '' } }), stop);
    expect(answer.finish(false)?.message.toolCalls).toMatchObject([{ name: 'f', arguments: '' }]);
  });

  it('is the whole message of the last chunk only if nothing came before', () => {
    const last = { choices: [{ index: 0, message: { content: 'whole' }, finish_reason: 'stop' }] };
    expect(build(delta({ role: 'assistant', content: '' }), last).finish(false)?.message.content).toBe(
      'whole',
    );
    expect(
      build(delta({ content: 'who' }), delta({ content: 'le' }), last).finish(false)?.message.content,
    ).toBe('whole');
  });

  it('is that of the first choice alone', () => {
    const answer = build({
      choices: [
        { index: 1, delta: { content: 'other' }, finish_reason: 'length' },
        { index: 0, delta: { content: 'this' }, finish_reason: 'stop' },
      ],
    });
    expect(answer.finish(false)).toMatchObject({ finishReason: 'stop', message: { content: 'this' } });
  });

  it('cannot be changed, nor can the response', () => {
    const response = build(delta({ content: 'a' }), { ...stop, usage: { prompt_tokens: 1 } }).finish(false);
    expect([response, response?.message, response?.usage].every(Object.isFrozen)).toBe(true);
  });
});

it('takes usage from the choice too, and keeps the last that holds counts', () => {
  const inChoice = { choices: [{ index: 0, delta: {}, usage: { prompt_tokens: 2 } }] };
  expect(build(inChoice, { usage: {} }, { usage: null }, stop).finish(false)?.usage?.promptTokens).toBe(2);
});

it('keeps the last finish reason that is one', () => {
  const reason = (finish_reason: unknown): Record<string, unknown> => ({
    choices: [{ index: 0, finish_reason }],
  });
  expect(build(reason('a'), reason('b'), reason(''), reason(null), reason(3)).finishReason).toBe('b');
});

it('infers a finish reason only when asked to', () => {
  expect(build(delta({ content: 'a' })).finish(false)).toBeUndefined();
  expect(build(delta({ content: 'a' })).finish(true)?.finishReason).toBe('stop');
  expect(build(delta({ reasoning: 'a' })).finish(true)).toBeUndefined();
});
