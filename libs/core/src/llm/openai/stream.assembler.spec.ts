import { describe, expect, it } from 'vitest';
import { LlmException, type LlmErrorKind } from '../../errors/llm.exception.js';
import {
  assemble,
  bytesOf,
  bytewise,
  cutBehind,
  deltaEvent,
  DELIVERIES,
  DONE,
  finishEvent,
  sseEvent,
  textEvent,
  toolEvent,
  usageEvent,
} from '../../../../../test/support/sse-stream.js';
import { StreamAssembler } from './stream.assembler.js';

function failure(act: () => unknown): LlmException {
  try {
    act();
  } catch (error) {
    if (error instanceof LlmException) return error;
    throw error;
  }
  throw new Error('Expected an LlmException, but nothing was thrown.');
}

describe.each(DELIVERIES)('a stream sent %s', (_, deliver) => {
  const read = (...events: string[]): ReturnType<typeof assemble> => assemble(deliver(events.join('')));
  const failureOf = (...events: string[]): LlmException => failure(() => read(...events));

  it('B11: an empty tool_calls list beside text is no tool call', () => {
    const result = read(
      deltaEvent({ content: 'he', tool_calls: [] }),
      deltaEvent({ content: 'y', tool_calls: [] }),
      finishEvent('stop'),
    );
    expect(result.tokens).toEqual(['he', 'y']);
    expect(result.response.message).toEqual({ role: 'assistant', content: 'hey' });
  });

  it('B15: frames without choices are passed over and their usage is kept', () => {
    const result = read(
      textEvent('a'),
      sseEvent({ usage: { prompt_tokens: 1, completion_tokens: 1 } }),
      sseEvent({ choices: null }),
      sseEvent({ choices: [] }),
      textEvent('b'),
      finishEvent('stop'),
      DONE,
    );
    expect(result.response.message.content).toBe('ab');
    expect(result.response.usage).toMatchObject({ promptTokens: 1, completionTokens: 1, totalTokens: 2 });
  });

  it('B17: running totals are not summed', () => {
    const counted = (completion_tokens: number): string =>
      sseEvent({
        choices: [{ index: 0, delta: { content: 'x' } }],
        usage: { prompt_tokens: 5, completion_tokens },
      });
    const { usage } = read(counted(1), counted(2), counted(3), finishEvent('stop'), DONE).response;
    expect(usage).toMatchObject({ promptTokens: 5, completionTokens: 3, totalTokens: 8 });
  });

  it('B24: text and one finish, whatever ends the lines', () => {
    const { tokens, finishes } = read(textEvent('a'), finishEvent('stop'), DONE);
    expect({ tokens, finishes }).toEqual({ tokens: ['a'], finishes: 1 });
  });

  it('B26: an event without a space, or on several data lines, is read', () => {
    const split = 'data: {"choices":[{"index":0,\ndata:"delta":{"content":"b"}}]}\n\n';
    const result = read(textEvent('a').replace('data: ', 'data:'), split, finishEvent('stop'), DONE);
    expect(result.response.message.content).toBe('ab');
  });

  it('B28: comments, named events and foreign ends leave the text intact', () => {
    const result = read(
      textEvent('a'),
      ': keep-alive\n\n',
      'event: tool.progress\ndata: {"tool":"x"}\n\n',
      'event: tool.progress\ndata: {"error":{"message":"of the tool"}}\n\n',
      'event: tool.progress\ndata: not json\n\n',
      'event: tool.progress\ndata: [DONE]\n\n',
      'event: ping\ndata: {}\n\n',
      'id: 7\nretry: 100\n\n',
      'data:\n\n',
      sseEvent('"text"'),
      sseEvent('null'),
      `event: message\n${textEvent('b')}`,
      `event: chunk\n${textEvent('c')}`,
      finishEvent('stop'),
      DONE,
    );
    expect(result.tokens).toEqual(['a', 'b', 'c']);
  });

  it('B30: complete calls and [DONE] without a finish reason are tool_calls', () => {
    const { response } = read(toolEvent(0, 'a', 'ping', '{}'), DONE);
    expect(response).toEqual({
      finishReason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        toolCalls: [{ id: 'a', name: 'ping', arguments: '{}' }],
      },
    });
    expect(read(toolEvent(0, 'a', 'ping', ''), DONE).response.finishReason).toBe('tool_calls');
  });

  it('B30: text and [DONE] without a finish reason is stop', () => {
    expect(read(textEvent('a'), DONE).response.finishReason).toBe('stop');
  });

  it.each([
    ['cut calls and [DONE]', [toolEvent(0, 'a', 'ping', '{"x":'), DONE]],
    ['nothing but [DONE]', [DONE]],
    ['calls and the end of the body', [toolEvent(0, 'a', 'ping', '{}')]],
    ['text and the end of the body', [textEvent('a')]],
    ['nothing at all', []],
    ['an event cut in the middle', [textEvent('a'), textEvent('b').slice(0, -20)]],
  ])('B30: %s is an incomplete stream', (_name, events) => {
    expect(failureOf(...events)).toMatchObject({ kind: 'incomplete_stream', retryable: true });
  });

  it('B30: the end of the body after a finish reason is fine, even within a later event', () => {
    for (const rest of ['', usageEvent({ prompt_tokens: 1 }).slice(0, -9), DONE.slice(0, 9)]) {
      const { response, finishes } = read(textEvent('a'), finishEvent('stop'), rest);
      expect({ reason: response.finishReason, finishes }).toEqual({ reason: 'stop', finishes: 1 });
    }
  });

  it('B34: an error object in the stream is the typed error', () => {
    const body = {
      error: { message: 'ctx', type: 'invalid_request_error', code: 'context_length_exceeded' },
    };
    const error = failureOf(textEvent('a'), sseEvent(body), textEvent('b'), finishEvent('stop'));
    expect(error).toMatchObject({
      kind: 'context_length' satisfies LlmErrorKind,
      providerCode: 'context_length_exceeded',
      providerType: 'invalid_request_error',
      retryable: false,
    });
    expect(error.message).toContain('ctx');
  });

  it.each(['data: {"message":"broken"}', 'data: broken', 'data: {"error":"broken"}'])(
    'B34: an event named error is an error: %s',
    (data) => {
      const error = failureOf(textEvent('a'), `event: error\n${data}\n\n`, finishEvent('stop'));
      expect(error).toMatchObject({ kind: 'unavailable' });
      expect(error.message).toMatch(/: broken$/);
    },
  );

  it('events named message are like those without a name', () => {
    const usage = read(textEvent('a'), `event: message\n${sseEvent({ usage: { prompt_tokens: 2 } })}`, DONE);
    expect(usage.response.usage?.promptTokens).toBe(2);
    expect(failureOf(`event: message\n${sseEvent({ error: 'broken' })}`).message).toMatch(/broken$/);
    expect(failureOf('event: message\ndata: no json\n\n').message).toContain('no json');
  });

  it('[DONE] may be in an event named done', () => {
    expect(read(textEvent('a'), `event: done\n${DONE}`).response.finishReason).toBe('stop');
  });

  it('usage after the finish reason is kept', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    const { response } = read(textEvent('a'), finishEvent('stop'), usageEvent(usage), DONE);
    expect(response.usage).toMatchObject({ promptTokens: 3, completionTokens: 4, totalTokens: 7 });
  });

  it('data that is no JSON is quoted in the error', () => {
    const error = failureOf(textEvent('a'), sseEvent(`<html>${'x'.repeat(200)}`));
    expect(error.kind).toBe('incomplete_stream');
    expect(error.message).toContain(`"<html>${'x'.repeat(74)}"`);
  });
});

it('B24: CR alone, and CRLF cut between CR and LF, give the same message', () => {
  const stream = textEvent('a') + finishEvent('stop') + DONE;
  const crlf = bytesOf(stream.replaceAll('\n', '\r\n'));
  const lone = bytesOf(stream.replaceAll('\n', '\r'));
  for (const packets of [cutBehind(crlf, 13), bytewise(crlf), [lone], bytewise(lone)]) {
    const { tokens, finishes } = assemble(packets);
    expect({ tokens, finishes }).toEqual({ tokens: ['a'], finishes: 1 });
  }
});

it('counts the deltas that bring something, and knows when [DONE] has come', () => {
  const assembler = new StreamAssembler(() => {});
  const counts: number[] = [];
  const deltas: unknown[] = [
    { role: 'assistant', content: '' },
    { content: 'a' },
    { tool_calls: [{ index: 3, id: '', function: { arguments: null } }] },
    { reasoning_content: 'r' },
    { tool_calls: [{ index: 0, function: { arguments: '{' } }] },
  ];
  for (const delta of deltas) {
    assembler.event(JSON.stringify({ choices: [{ index: 0, delta }] }), undefined);
    counts.push(assembler.contentCount);
  }
  expect(counts).toEqual([0, 1, 1, 2, 3]);
  expect([assembler.sawContent, assembler.done]).toEqual([true, false]);
  assembler.event('[DONE]', undefined);
  assembler.event('nothing more is read', undefined);
  expect(assembler.done).toBe(true);
});
