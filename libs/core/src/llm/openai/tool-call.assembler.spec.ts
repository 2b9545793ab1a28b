import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../messages/tool-call.js';
import { ToolCallAssembler } from './tool-call.assembler.js';

function join(...entries: unknown[]): readonly ToolCall[] {
  const assembler = new ToolCallAssembler();
  for (const entry of entries) assembler.add(entry);
  return assembler.finish();
}

const named = (name: string, args: unknown, more: object = {}): object => ({
  ...more,
  function: { name, arguments: args },
});
const rest = (args: unknown, more: object = {}): object => ({ ...more, function: { arguments: args } });

describe('which call a fragment belongs to', () => {
  it('the one of its index, in turns too', () => {
    expect(
      join(
        named('f', '{"a"', { index: 4, id: 'a' }),
        named('g', '{"b"', { index: 2, id: 'b' }),
        rest(':1}', { index: 4 }),
        rest(':2}', { index: 2 }),
      ),
    ).toEqual([
      { id: 'a', name: 'f', arguments: '{"a":1}' },
      { id: 'b', name: 'g', arguments: '{"b":2}' },
    ]);
  });

  it('without an index the one of its id, else the latest', () => {
    expect(
      join(
        named('f', '{"a"', { id: 'a' }),
        named('g', '{"b"', { id: 'b' }),
        rest(':1}', { id: 'a' }),
        rest(':2}'),
      ),
    ).toEqual([
      { id: 'a', name: 'f', arguments: '{"a":1}' },
      { id: 'b', name: 'g', arguments: '{"b":2}' },
    ]);
  });

  it('an id that comes late belongs to the call that has none', () => {
    expect(join(named('f', '{', { index: 0 }), rest('}', { index: 0, id: 'a' }))).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
    ]);
  });

  it('a repeated id and name are those of the same call', () => {
    const head = { index: 0, id: 'a' };
    expect(join(named('f', '{"x":', head), named('f', '1', head), named('f', '}', head))).toEqual([
      { id: 'a', name: 'f', arguments: '{"x":1}' },
    ]);
    expect(join(named('f', '{"x":'), named('f', '{"y":1}'), named('f', '}'))).toMatchObject([
      { name: 'f', arguments: '{"x":{"y":1}}' },
    ]);
  });

  it('a name is not changed by another one under the same index or id', () => {
    const indexed = { index: 0 };
    expect(join(named('f', '{', indexed), named('g', '}', indexed))).toMatchObject([{ name: 'f' }]);
    const identified = { id: 'a' };
    expect(join(named('f', '{', identified), named('g', '}', identified))).toMatchObject([{ name: 'f' }]);
  });

  it('without index, another name starts another call if the ids do not tell', () => {
    expect(join(named('f', ''), named('g', '', { id: 'b' }))).toMatchObject([
      { name: 'f' },
      { id: 'b', name: 'g' },
    ]);
  });

  it('without index and id, another name or a new beginning starts another call', () => {
    expect(join(named('f', ''), named('g', ''))).toMatchObject([{ name: 'f' }, { name: 'g' }]);
    expect(join(named('f', '{"x":1}'), named('f', ' {"x":2}'))).toMatchObject([
      { arguments: '{"x":1}' },
      { arguments: ' {"x":2}' },
    ]);
  });

  it('the latest call of an index that is used again goes on', () => {
    const calls = join(
      named('f', '{}', { index: 0, id: 'a' }),
      named('g', '{"x"', { index: 0, id: 'b' }),
      rest(':1}', { index: 0 }),
    );
    expect(calls.map((call) => call.arguments)).toEqual(['{}', '{"x":1}']);
  });
});

describe('what a call ends up with', () => {
  it('an id of its own, where it has none or shares one', () => {
    const calls = join(
      named('f', '{}', { index: 0, id: 'same' }),
      named('g', '{}', { index: 1, id: 'same' }),
      named('h', '{}', { index: 2 }),
    );
    expect(calls[0]?.id).toBe('same');
    expect(calls[1]?.id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(calls[2]?.id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(new Set(calls.map((call) => call.id)).size).toBe(3);
  });

  it('the name `unknown`, if it has arguments and never got one', () => {
    expect(join(rest('{"x":1}', { id: 'a' }))).toEqual([{ id: 'a', name: 'unknown', arguments: '{"x":1}' }]);
  });

  it('nothing, if it has neither name nor arguments', () => {
    expect(join({ index: 0, id: 'a' }, rest(' ', { index: 1 }), rest(null, { index: 2 }), {})).toEqual([]);
  });

  it('the arguments as sent, valid or not', () => {
    for (const args of ['', '{bad', '{"id":9007199254740993}', 'null', '[1]', '"text"', '"cut']) {
      expect(join(named('f', args))[0]?.arguments).toBe(args);
    }
  });

  it('the object of arguments sent as an object or encoded twice', () => {
    for (const args of [{ a: [1] }, '{"a":[1]}', '"{\\"a\\":[1]}"']) {
      expect(join(named('f', args))[0]?.arguments).toBe('{"a":[1]}');
    }
  });

  it('the object of arguments encoded twice that came in pieces', () => {
    expect(join(named('f', '"'), named('f', '{\\"a\\"'), named('f', ':1}"'))).toMatchObject([
      { arguments: '{"a":1}' },
    ]);
  });

  it('the latest object, if one comes in place of a piece', () => {
    const index = { index: 0 };
    expect(join(named('f', '{"x"', index), rest({ y: 1 }, index), rest({ y: 2 }, index))).toMatchObject([
      { arguments: '{"y":2}' },
    ]);
  });

  it('text that is no JSON for an object nested deeper than can be written', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    const text = join(named('f', deep))[0]!.arguments;
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it('nothing that can still be changed', () => {
    const calls = join(named('f', '{}'));
    expect(Object.isFrozen(calls) && Object.isFrozen(calls[0])).toBe(true);
  });
});

it('passes over entries that are none, and tells which brought something', () => {
  const assembler = new ToolCallAssembler();
  const brought = [null, 'x', [], {}, { index: 'x', id: 3, function: 'f' }, named('f', '')].map((entry) =>
    assembler.add(entry),
  );
  expect(brought).toEqual([false, false, false, false, false, true]);
  expect(assembler.finish()).toMatchObject([{ name: 'f', arguments: '' }]);
});
