import { describe, expect, it, vi } from 'vitest';
import type { LlmMessage } from './llm-message.js';
import { isSound, repairMessage } from './message-repair.js';

/** Histories come from stores and clients: the types promise nothing about them. */
const foreign = (message: object): LlmMessage => message as LlmMessage;

const calling = (...toolCalls: object[]): LlmMessage =>
  foreign({ role: 'assistant', content: null, reasoning: 'why', toolCalls });

const call = (name: string, json: unknown, id = 'c'): object => ({ id, name, arguments: json });

describe('repairMessage', () => {
  it.each([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '  indented' },
    { role: 'user', content: '\u00a0é' },
    { role: 'user', content: null, parts: [{ type: 'image', url: 'https://example.org/cat.png' }] },
    { role: 'user', content: 'x', parts: [] },
    { role: 'assistant', content: 'yes', toolCalls: [] },
    { role: 'tool', content: 'null', toolCallId: 'c' },
  ] as const)('gives a sound message back: %j', (message) => {
    expect(repairMessage(message)).toBe(message);
  });

  it.each([
    foreign({ role: 'system', content: '' }),
    foreign({ role: 'function', content: 'x' }),
    foreign({ content: 'x' }),
    calling({ name: 'ping', arguments: '{}' }),
  ])('drops what holds nothing to send: %j', (message) => {
    expect(repairMessage(message)).toBeUndefined();
  });

  it('B88: drops assistant messages without content and calls', () => {
    for (const content of [[], '', ' \n\t', null, undefined]) {
      expect(repairMessage(foreign({ role: 'assistant', content, reasoning: 'hm' }))).toBeUndefined();
    }
  });

  it('says (empty) where a user or a tool said nothing', () => {
    for (const role of ['user', 'tool']) {
      for (const content of ['', ' ', null, undefined, []]) {
        expect(repairMessage(foreign({ role, content, toolCallId: 'c' }))?.content).toBe('(empty)');
      }
    }
    expect(repairMessage({ role: 'user', content: null, parts: [{ type: 'text', text: ' ' }] })).toEqual({
      role: 'user',
      content: '(empty)',
    });
  });

  it('keeps the text of content given as blocks', () => {
    const content = [{ type: 'text', text: 'a' }, 'b', { type: 'image_url' }, null];
    expect(repairMessage(foreign({ role: 'assistant', content }))).toEqual({
      role: 'assistant',
      content: 'ab',
    });
  });

  it('keeps the parts that hold something', () => {
    const image = { type: 'image', url: 'data:image/png;base64,AA==' };
    const message = foreign({
      role: 'user',
      content: null,
      parts: [{ type: 'text', text: '' }, image, null],
    });
    expect(repairMessage(message)?.parts).toEqual([image]);
    expect(repairMessage(foreign({ role: 'user', content: 'x', parts: 'x' }))).toEqual({
      role: 'user',
      content: 'x',
    });
  });

  it('B53: replays a name that the API forbids in an allowed form', () => {
    const repaired = repairMessage(calling(call('$RUN SHELL', '{}'), call('fetch<|call|>json', '{}', 'd')));
    expect(repaired?.toolCalls?.map(({ name }) => name)).toEqual(['_RUN_SHELL', 'fetch_call_json']);
    expect(repaired?.reasoning).toBe('why');
  });

  it.each(['{oops', '', '[1]', 'null', '7', '"text"', undefined, { a: 1 }])(
    'B55: replays arguments that are no JSON object as {}: %j',
    (json) => {
      expect(repairMessage(calling(call('ping', json)))?.toolCalls).toEqual([call('ping', '{}')]);
    },
  );

  it('takes the object out of arguments that were encoded twice', () => {
    const repaired = repairMessage(calling(call('ping', JSON.stringify('{"to":"Rome"}'))));
    expect(repaired?.toolCalls?.[0]?.arguments).toBe('{"to":"Rome"}');
  });

  it('keeps the first of two calls with one id', () => {
    expect(repairMessage(calling(call('a', '{}'), call('b', '{}')))?.toolCalls).toEqual([call('a', '{}')]);
  });

  it('says with null that a message which calls tools has no text', () => {
    const message = foreign({ role: 'assistant', content: '\n\n', toolCalls: [call('ping', '{}')] });
    expect(repairMessage(message)).toEqual({ ...message, content: null });
  });

  it('survives calls that are no list', () => {
    const message = foreign({ role: 'assistant', content: 'hm', toolCalls: 'ping' });
    expect(repairMessage(message)).toEqual({ role: 'assistant', content: 'hm' });
  });

  it('makes one repaired message for each message, itself sound and frozen', () => {
    const message = calling(call('a b', '{bad'));
    const repaired = repairMessage(message);
    expect(repairMessage(message)).toBe(repaired);
    expect(repaired && isSound(repaired)).toBe(true);
    expect(Object.isFrozen(repaired)).toBe(true);
  });

  it('parses the arguments of a message once', () => {
    const message = calling(call('ping', '{"n":1}'));
    const parse = vi.spyOn(JSON, 'parse');
    for (let i = 0; i < 5; i++) isSound(message);
    expect(parse).toHaveBeenCalledTimes(1);
  });
});
