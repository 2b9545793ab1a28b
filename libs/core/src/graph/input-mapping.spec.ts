import { describe, expect, it } from 'vitest';
import { ToolException } from '../errors/tool.exception.js';
import { InputMapping } from './input-mapping.js';

const scope = (toolArgs: unknown, ctx = {}) => ({ toolArgs, ctx, nodes: new Map<string, unknown>() });

describe('InputMapping', () => {
  it('makes an input of arguments, ctx and constants', () => {
    const mapping = InputMapping.compile('t', {
      query: 'tool_args.query',
      locale: 'ctx.user.locale ?? "en"',
      limit: '5',
      missing: 'tool_args.nothing.at.all',
    });
    const ctx = { user: { locale: 'de' } };
    expect(mapping.evaluate(scope({ query: 'Bill' }, ctx), 't')).toEqual({
      query: 'Bill',
      locale: 'de',
      limit: 5,
      missing: null,
    });
  });

  it('is equal to one that is spelt alike, and frozen', () => {
    const mapping = InputMapping.compile('t', { a: 'tool_args.a+1' });
    expect(InputMapping.compile('u', { a: 'tool_args.a + 1' })).toEqual(mapping);
    expect(InputMapping.compile('t', { a: 'tool_args.a + 2' })).not.toEqual(mapping);
    for (const part of [mapping, mapping.assignments, mapping.assignments['a']])
      expect(part).toSatisfy(Object.isFrozen);
  });

  it('shares nothing with what it was made of', () => {
    const ctx = { user: { roles: ['admin'] } };
    const { roles } = InputMapping.compile('t', { roles: 'ctx.user.roles' }).evaluate(scope({}, ctx), 't');
    expect(roles).toEqual(['admin']);
    expect(roles).not.toBe(ctx.user.roles);
  });

  it('says which field of which tool takes too long', () => {
    const mapping = InputMapping.compile('find', {
      ok: '1',
      many: 'tool_args.list.map(x -> tool_args.list.map(y -> y))',
    });
    const run = (): unknown =>
      mapping.evaluate(scope({ list: Array.from({ length: 1000 }, () => 1) }), 'find');
    expect(run).toThrow(ToolException);
    expect(run).toThrow(
      'The field "many" of the input of "find" could not be made. The expression took more than 100000 steps.',
    );
  });
});
