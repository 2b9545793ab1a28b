import { describe, expect, it } from 'vitest';
import {
  argumentsEvent,
  assemble,
  deltaEvent,
  DELIVERIES,
  DONE,
  finishEvent,
  textEvent,
  toolEvent,
} from '../../../../../test/support/sse-stream.js';
import type { LlmStreamChunk } from '../llm.provider.js';
import { StreamAssembler } from './stream.assembler.js';

const FINISHED = finishEvent('tool_calls') + DONE;

/** One event with these `tool_calls` entries, whatever they are. */
const callEntries = (...entries: unknown[]): string => deltaEvent({ tool_calls: entries });

const anyId = expect.stringMatching(/^call_[0-9a-f]{24}$/);

describe.each(DELIVERIES)('tool calls of a stream sent %s', (_, deliver) => {
  const read = (...events: string[]): ReturnType<typeof assemble> => assemble(deliver(events.join('')));
  const callsOf = (...events: string[]): unknown => read(...events).response.message.toolCalls;

  it('B1: two entries of one index in one delta are one call', () => {
    const head = callEntries(
      { index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' } },
      { index: 0, function: { arguments: '{"x":' } },
    );
    expect(callsOf(head, argumentsEvent(0, '1}'), FINISHED)).toEqual([
      { id: 'a', name: 'add', arguments: '{"x":1}' },
    ]);
  });

  it('B3: an index may start anywhere, leave gaps, be used again or be missing', () => {
    expect(callsOf(toolEvent(1, 't1', 'read', '{}'), FINISHED)).toEqual([
      { id: 't1', name: 'read', arguments: '{}' },
    ]);
    const two = [
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ];
    expect(callsOf(toolEvent(0, 'a', 'f', '{}'), toolEvent(7, 'b', 'g', '{}'), FINISHED)).toEqual(two);
    expect(callsOf(toolEvent(0, 'a', 'f', '{}'), toolEvent(0, 'b', 'g', '{}'), FINISHED)).toEqual(two);
    const indexless = [
      callEntries({ id: 'a', function: { name: 'f', arguments: '{"x":' } }),
      callEntries({ function: { arguments: '1}' } }),
    ];
    expect(callsOf(...indexless, FINISHED)).toEqual([{ id: 'a', name: 'f', arguments: '{"x":1}' }]);
  });

  it('B5: the name may come after the arguments', () => {
    const events = [
      callEntries({ index: 0, id: 'a', function: { arguments: '{' } }),
      callEntries({ index: 0, function: { name: 'ping', arguments: '}' } }),
    ];
    expect(callsOf(...events, finishEvent('tool_calls'))).toEqual([
      { id: 'a', name: 'ping', arguments: '{}' },
    ]);
  });

  it('B7: id and name come once, or the whole call in one delta', () => {
    const expected = [{ id: 'a', name: 'w', arguments: '{"c":"x"}' }];
    const pieces = [toolEvent(0, 'a', 'w', ''), argumentsEvent(0, '{"c":'), argumentsEvent(0, '"x"}')];
    expect(callsOf(...pieces, finishEvent('tool_calls'))).toEqual(expected);
    expect(callsOf(toolEvent(0, 'a', 'w', '{"c":"x"}'), finishEvent('tool_calls'))).toEqual(expected);
  });

  it('B9: an empty closing entry is no call', () => {
    const ghost = callEntries({ index: 1, id: '', type: 'function', function: { arguments: null } });
    expect(callsOf(toolEvent(0, 'a', 'ping', '{}'), ghost, finishEvent('tool_calls'))).toEqual([
      { id: 'a', name: 'ping', arguments: '{}' },
    ]);
  });

  it('B13: arguments that look complete go on until the stream ends', () => {
    const events = [toolEvent(0, 'a', 'del', '{"id":"1"}'), argumentsEvent(0, ', "dryRun":true}')];
    expect(callsOf(...events, finishEvent('tool_calls'))).toEqual([
      { id: 'a', name: 'del', arguments: '{"id":"1"}, "dryRun":true}' },
    ]);
  });

  it('B19: arguments may be an object, a string, or a string encoded twice', () => {
    for (const args of [{ city: 'Paris' }, '{"city":"Paris"}', '"{\\"city\\":\\"Paris\\"}"']) {
      const entry = callEntries({ function: { name: 'w', arguments: args } });
      const expected = [{ id: anyId, name: 'w', arguments: '{"city":"Paris"}' }];
      expect(callsOf(entry, FINISHED)).toEqual(expected);
    }
  });

  it('B19: the same three in one stream are three calls with ids of their own', () => {
    const calls = read(
      callEntries({ function: { name: 'w', arguments: { city: 'Paris' } } }),
      callEntries({ function: { name: 'w', arguments: '{"city":"Paris"}' } }),
      callEntries({ function: { name: 'w', arguments: '"{\\"city\\":\\"Paris\\"}"' } }),
      FINISHED,
    ).response.message.toolCalls!;
    expect(calls.map((call) => call.arguments)).toEqual(Array(3).fill('{"city":"Paris"}'));
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
  });

  it('B59: large integers of an argument object keep their digits', () => {
    const event = toolEvent(0, 'a', 'get', { id: 0 }).replace('"id":0', '"id": 9007199254740993');
    expect(callsOf(event, FINISHED)).toEqual([
      { id: 'a', name: 'get', arguments: '{"id":"9007199254740993"}' },
    ]);
    expect(callsOf(toolEvent(0, 'a', 'get', '{"id":9007199254740993}'), FINISHED)).toEqual([
      { id: 'a', name: 'get', arguments: '{"id":9007199254740993}' },
    ]);
  });

  it('B21: an escape in the arguments may be cut anywhere', () => {
    const events = [toolEvent(0, 'a', 'f', '{"t":"\\u12'), argumentsEvent(0, '34"}'), FINISHED];
    expect(JSON.parse(read(...events).response.message.toolCalls![0]!.arguments)).toEqual({ t: '\u1234' });
    const pair = [toolEvent(0, 'a', 'f', '{"t":"\\ud83d'), argumentsEvent(0, '\\ude00"}'), FINISHED];
    expect(JSON.parse(read(...pair).response.message.toolCalls![0]!.arguments)).toEqual({ t: '😀' });
  });

  it('B21: a surrogate pair cut between two deltas is whole again', () => {
    const events = [textEvent('a\ud83d'), textEvent('\ude00b'), finishEvent('stop'), DONE];
    const { tokens, response } = read(...events);
    expect(tokens).toEqual(['a', '😀b']);
    expect(response.message.content).toBe('a😀b');
    const call = [toolEvent(0, 'a', 'f', '{"t":"\ud83d'), argumentsEvent(0, '\ude00"}'), FINISHED];
    expect(callsOf(...call)).toEqual([{ id: 'a', name: 'f', arguments: '{"t":"😀"}' }]);
  });

  it('B40: the finish reason is kept as sent, whatever the message holds', () => {
    const events = [textEvent('let me look'), toolEvent(0, 'a', 'ping', '{}'), finishEvent('stop'), DONE];
    expect(read(...events).response).toEqual({
      finishReason: 'stop',
      message: {
        role: 'assistant',
        content: 'let me look',
        toolCalls: [{ id: 'a', name: 'ping', arguments: '{}' }],
      },
    });
    expect(read(textEvent('a'), finishEvent('eos_token'), DONE).response.finishReason).toBe('eos_token');
  });
});

it('B13: nothing of a call is passed on before the end', () => {
  const chunks: LlmStreamChunk[] = [];
  const assembler = new StreamAssembler((chunk) => chunks.push(chunk));
  const event = (text: string): void => assembler.event(text.slice('data: '.length).trim(), undefined);
  event(toolEvent(0, 'a', 'del', '{"id":"1"}'));
  event(finishEvent('tool_calls'));
  event(DONE);
  expect(chunks).toEqual([]);
  assembler.end();
  assembler.end();
  expect(chunks.map((chunk) => chunk.type)).toEqual(['finish']);
});
