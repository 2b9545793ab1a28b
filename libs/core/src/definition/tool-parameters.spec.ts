import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OperatorRegistry } from '../operators/operator.registry.js';
import type { JsonSchema } from '../operators/json-schema.js';
import { toInputSchema, type SchemaLike } from '../operators/to-input-schema.js';
import { AgentDslCompiler } from './agent-dsl.compiler.js';
import { AgentBuilder } from './agent.builder.js';
import { linkAgent } from './linked-agent.js';

/** What the model is shown of a tool with that input. */
function parametersOf(input: string, schema?: SchemaLike): JsonSchema | undefined {
  const registry = OperatorRegistry.builder()
    .register('Op', {
      ...(schema && { metadata: { input: toInputSchema(schema, 'Op') } }),
      execute: () => null,
    })
    .build();
  const def = new AgentDslCompiler().compile(`agent a { model = "m" tool t : Op { ${input} } }`);
  return linkAgent(def, registry).definitions?.[0]?.parameters;
}

const string = { type: 'string' };
const closed = (properties: object, required?: string[]): object => ({
  type: 'object',
  properties,
  ...(required && { required }),
  additionalProperties: false,
});

const number = { type: 'number' };
const list = (items: object): object => ({ type: 'array', items });
const item = closed({ b: string }, ['b']);

describe('without a schema of the operator', () => {
  it.each<[string, string, object]>([
    ['a field', 'q = tool_args.query', closed({ query: string }, ['query'])],
    ['a field by index', 'q = tool_args["query"]', closed({ query: string }, ['query'])],
    [
      'a field of another name',
      'q = tool_args["search-text"]',
      closed({ 'search-text': string }, ['search-text']),
    ],
    ['an optional access', 'q = tool_args?.query', closed({ query: string }, ['query'])],
    ['one field twice', 'q = tool_args.a, r = tool_args.a', closed({ a: string }, ['a'])],
    [
      'fields in their order',
      'q = tool_args.b, r = tool_args.a',
      closed({ b: string, a: string }, ['b', 'a']),
    ],
    [
      'fields anywhere',
      'q = [1, { k: when tool_args.a { tool_args.b -> ctx.x ? tool_args.c : !tool_args.d } }]',
      closed({ a: string, b: string, c: string, d: string }, ['a', 'b', 'c', 'd']),
    ],
    [
      'fields in a text',
      'q = "${tool_args.a} ${tool_args.b.trim()}"',
      closed({ a: string, b: string }, ['a', 'b']),
    ],
    ['fields in a lambda', 'q = ctx.list.map(x -> x + tool_args.a)', closed({ a: string }, ['a'])],
    ['a lambda of that name', 'q = ctx.list.map(tool_args -> tool_args.a)', closed({})],
    ['constants and ctx', 'q = 5, r = ctx.user.locale', closed({})],
    ['no assignments', '', closed({})],
    ['a default', 'q = tool_args.a ?? "x"', closed({ a: string })],
    ['a default of a number', 'q = tool_args.a ?? 5', closed({ a: { type: 'number' } })],
    ['a default of a flag', 'q = tool_args.a ?? false', closed({ a: { type: 'boolean' } })],
    ['a default of a list', 'q = tool_args.a ?? []', closed({ a: { type: 'array', items: {} } })],
    ['a default of an object', 'q = tool_args.a ?? { }', closed({ a: { type: 'object' } })],
    ['defaults in a row', 'q = tool_args.a ?? ctx.a ?? 5', closed({ a: { type: 'number' } })],
    ['a default behind a method', 'q = tool_args.a.trim() ?? "x"', closed({ a: string })],
    ['with a default and without', 'q = tool_args.a ?? "x", r = tool_args.a', closed({ a: string }, ['a'])],
    ['as a default', 'q = ctx.a ?? tool_args.a', closed({ a: string }, ['a'])],
    ['methods of lists', 'q = tool_args.a.map(x -> x)', closed({ a: { type: 'array', items: {} } }, ['a'])],
    ['methods of texts and lists', 'q = tool_args.a.length()', closed({ a: string }, ['a'])],
    ['an element', 'q = tool_args.a[0]', closed({ a: list({}) }, ['a'])],
    ['defaults of a chain', 'q = tool_args.a ?? tool_args.b ?? "x"', closed({ a: string, b: string })],
    ['defaults in parentheses', 'q = tool_args.a ?? (tool_args.b ?? 5)', closed({ a: number, b: number })],
    ['a chain without a default', 'q = tool_args.a ?? tool_args.b', closed({ a: string, b: string }, ['b'])],
    [
      'a default of a choice',
      'q = (ctx.x ? tool_args.a : tool_args.b) ?? "x"',
      closed({ a: string, b: string }),
    ],
    ['a default behind a length', 'q = tool_args.a.length ?? 0', closed({ a: string })],
    ['a default behind a method of lists', 'q = tool_args.a.map(x -> x.b) ?? []', closed({ a: list(item) })],
    ['a length', 'n = tool_args.a.length, q = tool_args.a', closed({ a: string }, ['a'])],
    ['a size', 'n = tool_args.a.size', closed({ a: string }, ['a'])],
    ['a length of a list', 'n = tool_args.a.length, q = tool_args.a[0]', closed({ a: list({}) }, ['a'])],
    [
      'a length beside other fields',
      'q = tool_args.box.length, r = tool_args.box.width',
      closed({ box: closed({ length: string, width: string }, ['length', 'width']) }, ['box']),
    ],
    ['fields of elements', 'q = tool_args.a.map(i -> i.b)', closed({ a: list(item) }, ['a'])],
    ['fields of an element', 'q = tool_args.a[0].b, r = tool_args.a[-1].b', closed({ a: list(item) }, ['a'])],
    ['fields of the first', 'q = tool_args.a.first().b', closed({ a: list(item) }, ['a'])],
    [
      'fields of chosen elements',
      'q = tool_args.a.filter(i -> i.c).map(i -> i.b)',
      closed({ a: list(closed({ c: string, b: string }, ['c', 'b'])) }, ['a']),
    ],
    [
      'fields of elements of elements',
      'q = tool_args.a.map(i -> i.c.map(j -> j.b))',
      closed({ a: list(closed({ c: list(item) }, ['c'])) }, ['a']),
    ],
    [
      'fields of elements, and all of them',
      'q = tool_args.a.filter(i -> i.b)',
      closed({ a: list({ ...item, additionalProperties: true }) }, ['a']),
    ],
    [
      'a default of a field of elements',
      'q = tool_args.a.map(i -> i.b ?? "x")',
      closed({ a: list(closed({ b: string })) }, ['a']),
    ],
    [
      'methods of texts on elements',
      'q = tool_args.a.map(i -> i.trim())',
      closed({ a: list(string) }, ['a']),
    ],
    ['an element by a place from elsewhere', 'q = tool_args.a[ctx.n]', closed({ a: {} }, ['a'])],
    ['a list and an object', 'q = tool_args.a[0], r = tool_args.a.b', closed({ a: {} }, ['a'])],
    ['a part of a text', 'q = tool_args.a.slice(0, 5)', closed({ a: string }, ['a'])],
    ['methods of objects', 'q = tool_args.a.keys()', closed({ a: { type: 'object' } }, ['a'])],
    ['arithmetic', 'q = tool_args.a * 2, r = -tool_args.b', closed({ a: number, b: number }, ['a', 'b'])],
    [
      'objects',
      'q = tool_args.a.b, r = tool_args.a["c"].d ?? "x"',
      closed({ a: closed({ b: string, c: closed({ d: string }) }, ['b']) }, ['a']),
    ],
    [
      'an object, also as a whole',
      'q = tool_args.a, r = tool_args.a.b',
      closed({ a: { ...closed({ b: string }, ['b']), additionalProperties: true } }, ['a']),
    ],
    ['all arguments', 'q = tool_args', { type: 'object', properties: {}, additionalProperties: true }],
    [
      'all arguments and one',
      'q = tool_args, r = tool_args.a',
      { type: 'object', properties: { a: string }, required: ['a'], additionalProperties: true },
    ],
    [
      'an argument by a name from elsewhere',
      'q = tool_args[ctx.field]',
      { type: 'object', properties: {}, additionalProperties: true },
    ],
  ])('%s', (_, assignments, parameters) => {
    expect(parametersOf(`input { ${assignments} }`)).toEqual(parameters);
  });
});

describe('with a schema of the operator', () => {
  const query = { type: 'string', description: 'Words to look for', minLength: 2 };
  const sort = { type: 'string', enum: ['date', 'rank'] };
  const place = { type: 'object', properties: { city: string } };
  const schema = {
    type: 'object',
    properties: { query, sort, place, tags: { type: 'array', items: { $ref: '#/$defs/tag' } } },
    required: ['query', 'place'],
    $defs: { tag: string },
  };
  const $defs = schema.$defs;

  it.each<[string, string, object]>([
    ['the field it feeds', 'query = tool_args.q', { ...closed({ q: query }, ['q']), $defs }],
    ['an optional one', 'sort = tool_args.by', { ...closed({ by: sort }), $defs }],
    ['a required one with a default', 'query = tool_args.q ?? "x"', { ...closed({ q: query }), $defs }],
    ['references', 'tags = tool_args.t', { ...closed({ t: schema.properties.tags }), $defs }],
    ['the field of its name', 'query = "${tool_args.sort}!"', { ...closed({ sort }), $defs }],
    ['the fed field wins', 'query = tool_args.sort', { ...closed({ sort: query }, ['sort']), $defs }],
    ['no field', 'query = "${tool_args.a}"', { ...closed({ a: string }, ['a']), $defs }],
    [
      'a changed value feeds no field',
      'query = tool_args.q.trim()',
      { ...closed({ q: string }, ['q']), $defs },
    ],
    ['an object of its name', 'query = tool_args.place.city', { ...closed({ place }, ['place']), $defs }],
    [
      'a field of an object',
      'query = tool_args.where.name',
      { ...closed({ where: closed({ name: query }, ['name']) }, ['where']), $defs },
    ],
    ['all of it', 'query = tool_args', schema],
    [
      'all of it and more',
      'query = tool_args, sort = tool_args.by',
      { ...schema, properties: { ...schema.properties, by: string }, required: ['query', 'place', 'by'] },
    ],
  ])('takes %s', (_, assignments, parameters) => {
    expect(parametersOf(`input { ${assignments} }`, schema)).toEqual(parameters);
  });

  it('is the operator’s own without an input', () => {
    expect(parametersOf('', schema)).toEqual(schema);
  });

  it('is the same for the builder’s twin, and for a zod schema', () => {
    const registry = OperatorRegistry.builder()
      .register('Op', {
        metadata: { input: toInputSchema(z.object({ limit: z.number().min(1).default(5) }), 'Op') },
        execute: () => null,
      })
      .build();
    const twin = AgentBuilder.create('a')
      .model('m')
      .tool('t', { operator: 'Op', input: { limit: 'tool_args.n' } });
    const shown = closed({ n: expect.objectContaining({ type: 'number', minimum: 1 }) });
    expect(linkAgent(twin.build(), registry).definitions?.[0]?.parameters).toEqual(shown);
  });
});
