import { describe, expect, it } from 'vitest';
import { repairHistory } from './history-repair.js';
import type { LlmMessage } from './llm-message.js';

const user = (content: string): LlmMessage => ({ role: 'user', content });
const says = (content: string): LlmMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): LlmMessage => ({
  role: 'assistant',
  content: null,
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })),
});
const result = (id: string, content = `result of ${id}`): LlmMessage => ({
  role: 'tool',
  content,
  toolCallId: id,
});

describe('repairHistory', () => {
  it('gives a valid history back as it is', () => {
    const history = [
      user('q'),
      calls('a', 'b', 'c'),
      result('c'),
      result('a'),
      result('b'),
      says('x'),
      user('r'),
    ];
    expect(repairHistory(history)).toBe(history);
    const empty: LlmMessage[] = [];
    expect(repairHistory(empty)).toBe(empty);
  });

  it('drops results of calls that are not there', () => {
    const [q, x] = [user('q'), says('x')];
    expect(repairHistory([result('a'), q, x, result('b')])).toEqual([q, x]);
  });

  it('adds a result where none was recorded, always the same one', () => {
    const history = [user('q'), calls('a', 'b'), result('b'), user('and?')];
    const repaired = repairHistory(history);
    expect(repaired.map(({ role, toolCallId }) => toolCallId ?? role)).toEqual([
      'user',
      'assistant',
      'b',
      'a',
      'user',
    ]);
    expect(JSON.parse(repaired[3]!.content!)).toEqual({
      error: { code: 'outcome_unknown', message: expect.stringContaining('"look"') },
    });
    expect(repairHistory(history)[3]).toBe(repaired[3]);
    for (const index of [0, 1, 3]) expect(repaired).toContain(history[index]);
  });

  it('moves late results to their calls', () => {
    const [q, ab, a, wait, b, c, lateA] = [
      user('q'),
      calls('a', 'b'),
      result('a'),
      user('hurry'),
      result('b'),
      calls('c'),
      result('c'),
    ];
    expect(repairHistory([q, ab, a, wait, b, c, lateA])).toEqual([q, ab, a, b, wait, c, lateA]);
  });

  it('moves a result that stands after a system message', () => {
    const clock: LlmMessage = { role: 'system', content: 'It is noon.' };
    const [q, a, ra] = [user('q'), calls('a'), result('a')];
    expect(repairHistory([q, a, clock, ra])).toEqual([q, a, ra, clock]);
  });

  it('B51: leaves exactly one result for each call', () => {
    const [q, a, first] = [user('q'), calls('a'), result('a', 'Unknown tool "look". Known tools: ping.')];
    expect(repairHistory([q, a, first, result('a', 'again'), result('a', 'and again')])).toEqual([
      q,
      a,
      first,
    ]);
  });

  it('does not take a second result of one call for the missing one of another', () => {
    const history = [user('q'), calls('a', 'b'), result('b'), result('b', 'again')];
    expect(repairHistory(history).map(({ toolCallId }) => toolCallId)).toEqual([
      undefined,
      undefined,
      'b',
      'a',
    ]);
  });

  it('pairs an id that is used again later with the call before it', () => {
    const history = [user('q'), calls('a'), result('a', '1'), user('r'), calls('a'), result('a', '2')];
    expect(repairHistory(history)).toBe(history);
    const cut = [user('q'), calls('a'), user('r'), calls('a'), result('a', '2')];
    const repaired = repairHistory(cut);
    expect(repaired.map(({ content }) => content)).toEqual(['q', null, expect.any(String), 'r', null, '2']);
    expect(repaired[2]?.content).toContain('outcome_unknown');
  });

  it('B53: keeps the result with a call whose name was sanitised', () => {
    const asks: LlmMessage = { ...calls(), toolCalls: [{ id: 'a', name: '$RUN SHELL', arguments: '{}' }] };
    const history = [user('q'), asks, result('a')];
    const repaired = repairHistory(history);
    expect(repaired[1]?.toolCalls?.[0]?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(repaired[2]).toBe(history[2]);
    expect(repairHistory(history)[1]).toBe(repaired[1]);
    expect(asks.toolCalls?.[0]?.name).toBe('$RUN SHELL');
  });

  it('B55: keeps the error result with a call whose arguments were no JSON', () => {
    const asks: LlmMessage = { ...calls(), toolCalls: [{ id: 'a', name: 'look', arguments: '{bad' }] };
    const error = result('a', '{"error":{"code":"invalid_json","message":"Unexpected end"}}');
    const repaired = repairHistory([user('q'), asks, error]);
    expect(repaired[1]?.toolCalls).toEqual([{ id: 'a', name: 'look', arguments: '{}' }]);
    expect(repaired[2]).toBe(error);
  });

  it('B88: leaves no message without content', () => {
    const blank = [[], '', '  \n'].map(
      (content) => ({ role: 'assistant', content }) as unknown as LlmMessage,
    );
    const [q, x] = [user('q'), says('x')];
    expect(repairHistory([q, ...blank, x])).toEqual([q, x]);
    expect(repairHistory([user(''), calls('a'), result('a', '')]).map(({ content }) => content)).toEqual([
      '(empty)',
      null,
      '(empty)',
    ]);
  });

  it('survives entries that are no messages', () => {
    const history = [null, user('q'), undefined, { role: 'robot', content: 'x' }] as unknown as LlmMessage[];
    expect(repairHistory(history)).toEqual([user('q')]);
  });
});
