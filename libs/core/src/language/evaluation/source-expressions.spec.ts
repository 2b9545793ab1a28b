import { describe, expect, it } from 'vitest';
import { parseExpression } from '../parser.js';
import { compileExpression } from './compile-expression.js';

const ITEMS = [
  { id: 1, title: 'How to get a refund', score: 0.91, tags: ['billing', 'refund'] },
  { id: 2, title: 'Reset a password', score: 0.4, tags: [] },
  { id: 3, title: 'Refund policy', score: 0.85, tags: ['billing'], price: 12.5 },
];

const VARIABLES = {
  finish_reason: 'tool_calls',
  content: '  Escalating to a human. ',
  turn: 3,
  tool_calls: [{ id: 'c1', name: 'search', arguments: '{"q":"refund"}' }],
  tool_results: {
    search: { items: ITEMS },
    weather: { temperature: -4, unit: 'C' },
    status: 'ok',
    code: 200,
  },
  messages: [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Refund!' },
  ],
  tool_args: { q: 'refund', limit: null, nested: { deep: [1, 2, 3] } },
  ctx: { user: { locale: 'de', roles: new Set(['admin']), since: new Date(0) } },
};

const FUNCTIONS = { tool_call: (name: unknown): boolean => name === 'search' };

const NAMES = { variables: Object.keys(VARIABLES), functions: Object.keys(FUNCTIONS) };

function value(source: string): unknown {
  const { expression, diagnostics } = parseExpression(source);
  expect(diagnostics).toEqual([]);
  return compileExpression(expression, NAMES).evaluate({ variables: VARIABLES, functions: FUNCTIONS });
}

describe('exit conditions', () => {
  it.each([
    ['finish_reason == "stop" || tool_call("escalateToHuman")', false],
    ['finish_reason == "stop" || tool_call("search")', true],
    ['turn >= 3 && tool_calls.length == 1', true],
    ['tool_results.search.items.any(i -> i.score > 0.8 && i.title.contains("refund"))', true],
    ['tool_results.search.items.any(i -> i.score > 0.95)', false],
    ['tool_results.search.items.filter(i -> i.tags.contains("billing")).size() >= 2', true],
    ['tool_results.search.items.all(i -> i.tags.isEmpty())', false],
    ['tool_results.search.items.none(i -> i.id == 9)', true],
    ['tool_results.code == 200.0', true],
    ['tool_results.code == "200"', false],
    ['tool_results.missing.deeply[3].nested?.value == null', true],
    ['tool_results.status.toUpperCase() == "OK"', true],
    ['content.trim().startsWith("Escalating")', true],
    ['messages[-1].content.toLowerCase().contains("refund")', true],
    ['tool_calls[0].name == "search" ? turn > 2 : turn > 9', true],
    ['!tool_call("search")', false],
    ['"" && [] ', []],
    ['0 || null ?? "last"', 'last'],
  ])('%s', (source, wanted) => {
    expect(value(source)).toEqual(wanted);
  });
});

describe('input mappings', () => {
  it.each([
    ['tool_args.q', 'refund'],
    ['tool_args.limit ?? 10', 10],
    ['ctx.user.locale ?? "en"', 'de'],
    ['ctx.user.roles.contains("admin")', true],
    ['ctx.user.since', '1970-01-01T00:00:00.000Z'],
    ['"search ${tool_args.q} in ${ctx.user.locale}${tool_args.limit}"', 'search refund in de'],
    ['"\\${literal} ${[1, "a", null]} ${{ a: 1 }}"', '${literal} [1,"a",null] {"a":1}'],
    ['"""raw ${tool_args.q}"""', 'raw ${tool_args.q}'],
    ['{ query: tool_args.q, filters: [ctx.user.locale, null] }', { query: 'refund', filters: ['de', null] }],
    ['tool_args.nested.deep[-1]', 3],
    ['tool_args["nested"]["deep"]?[0]', 1],
    ['tool_args.nested.deep.map(n -> n * n).sum()', 14],
    ['tool_args.nested.deep + [4]', [1, 2, 3, 4]],
    ['tool_results.search.items.map(i -> i.id).join(", ")', '1, 2, 3'],
    ['tool_results.search.items.sortBy(i -> i.score).last().id', 1],
    ['tool_results.search.items.find(i -> i.price > 10).title', 'Refund policy'],
    [
      'tool_results.search.items.map(a -> a.tags.map(b -> "${a.id}:${b}")).flatten()',
      ['1:billing', '1:refund', '3:billing'],
    ],
    ['when tool_results.status { "ok" -> 1 "failed" -> 2 otherwise -> 0 }', 1],
    ['when turn { 1 -> "first" 2 -> "second" }', null],
    ['25ms + 3s', 3025],
    ['15m / 1s', 900],
    ['1 + 2 * 3 - 4 / 2', 5],
    ['7 % 4', 3],
    ['-tool_results.weather.temperature', 4],
    ['10 / 0', null],
    ['1 + null', null],
    ['"a" + null + 1 + true', 'a1true'],
    ['1 < "2"', false],
    ['"b" > "a"', true],
    ['[1, { a: 2 }] == [1, { a: 2 }]', true],
    ['tool_results.keys()', ['search', 'weather', 'status', 'code']],
    ['tool_results.keys', null],
    ['"a.b.c".split(".").reverse().first()', 'c'],
    ['"12.50".toNumber().round()', 13],
    ['"abc"[-1] + "abc".length + "abc".size()', 'c33'],
  ])('%s', (source, wanted) => {
    expect(value(source)).toEqual(wanted);
  });
});

describe('what is not there', () => {
  it.each([
    'ctx.constructor',
    'ctx.constructor.constructor("return process")()',
    'ctx["__proto__"]',
    'ctx["proto" + "type"]',
    '"".constructor.prototype',
    'tool_args.hasOwnProperty("q")',
    'content.matches(".*")',
    'content.replaceAll("a", "b")',
    'tool_call.call(null, "search")',
    'tool_call',
    'process.env',
    'globalThis',
    'unknown("x")',
    'turn.contains("3")',
    'tool_args.nested.deep.map("not a lambda")',
  ])('%s', (source) => {
    expect(value(source)).toBeNull();
  });
});

describe('chains', () => {
  it.each([
    ['1', ' + 1', 900, 900],
    ['false', ' || false', 900, false],
    ['content', '.trim()', 400, 'Escalating to a human.'],
  ])('%s and many times "%s"', (head, link, times, wanted) => {
    expect(value(head + link.repeat(times - 1))).toBe(wanted);
  });
});

describe('the deepest the parser takes', () => {
  it.each([
    ['[', '1', ']'],
    ['{ a: ', '1', ' }'],
    ['unknown(', '1', ')'],
    ['tool_call(', '1', ')'],
    ['content.contains(', '1', ')'],
    ['tool_calls.map(m -> ', '1', ')'],
    ['messages[', '1', ']'],
    ['"${', '1', '}"'],
    ['1 + (', '1', ')'],
    ['1 || 2 && 3 == 4 < 5 + 6 * (', '1', ')'],
    ['-[', '1', '].sum()'],
    ['true ? ', '1', ' : 2'],
    ['(', '1', ') ? 1 : 2'],
    ['false ? 1 : ', '1', ''],
    ['when ', '1', ' { 1 -> 1 }'],
    ['when 1 { 1 -> ', '1', ' }'],
    ['when 1 { ', '1', ' -> 1 }'],
    ['when 1 { otherwise -> ', '1', ' }'],
    ['tool_calls.any(m -> [{ a: "${', '1', '}" }])'],
    ['- ', '1', ''],
    ['! ', '1', ''],
  ])('%s%s%s', (before, core, after) => {
    const nested = (times: number): string => before.repeat(times) + core + after.repeat(times);
    const depth = deepest((times) => parseExpression(nested(times)).diagnostics.length === 0);
    expect(depth).toBeGreaterThan(20);
    expect(() => value(nested(depth))).not.toThrow();
  });
});

/** The largest number up to 2,000 that fits, if all smaller ones do. */
function deepest(fits: (times: number) => boolean): number {
  let [low, high] = [0, 2_000];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
