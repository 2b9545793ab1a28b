import { describe, expect, it, vi } from 'vitest';
import { problemsOf } from '../../../../test/support/dsl-problems.js';
import { InputMapping } from '../graph/input-mapping.js';
import { EXIT_CONDITION } from '../language/expression-place.js';
import { Expression } from '../language/expression.js';

const inInput = (expression: string): string =>
  `agent a { model = "m" tool t : Escalate { input { x = ${expression} } } }`;

describe('a way to JavaScript', () => {
  it.each([
    ['ctx.constructor', 'forbidden-name'],
    ['ctx["__proto__"]', 'forbidden-name'],
    ['ctx.a?.prototype', 'forbidden-name'],
    ['{ constructor: 1 }', 'forbidden-name'],
    ['ctx.constructor("return process")()', 'not-callable'],
    ['ctx.a.constructor("return process")', 'unknown-method'],
    ['ctx.__defineGetter__("a", x -> x)', 'unknown-method'],
    ['ctx.a.call(ctx)', 'unknown-method'],
    ['ctx.hasOwnProperty("a")', 'unknown-method'],
    ['"x".repeat(1000000000)', 'unknown-method'],
    ['"x".padEnd(1000000000)', 'unknown-method'],
    ['"x".replaceAll("x", y -> y)', 'unknown-method'],
    ['eval("1")', 'unknown-function'],
    ['import("node:fs")', 'unknown-function'],
    ['this.x', 'unknown-variable'],
    ['globalThis', 'unknown-variable'],
    ['process.env', 'unknown-variable'],
    ['ctx.l.map(x -> process)', 'unknown-variable'],
  ])('is refused: %s', (expression, code) => {
    expect(problemsOf(inInput(expression)).join('\n')).toContain(`error[${code}]`);
  });

  it.each([
    ['ctx["const" + "ructor"]', null],
    ['ctx["__pro${"to__"}"].x', null],
    ['ctx.list["const${"ructor"}"]', null],
    ['ctx.toString', null],
    ['ctx.valueOf', null],
    ['ctx.list.push', null],
    ['ctx.text["length"]', 3],
    ['ctx.secret', null],
    ['ctx.now.toISOString', null],
    ['ctx.run', null],
    ['ctx.toString()', '{"list":[1,2],"text":"abc","now":"1970-01-01T00:00:00.000Z"}'],
    ['tool_args.toString', null],
  ])('ends in data: %s', (expression, value) => {
    const secret = vi.fn(() => 'secret');
    const ctx = { list: [1, 2], text: 'abc', now: new Date(0), run: secret };
    Object.defineProperty(ctx, 'secret', { get: secret, enumerable: true });
    const mapping = InputMapping.compile('t', { x: expression });
    expect(mapping.evaluate({ toolArgs: {}, ctx, nodes: new Map() }, 't')).toEqual({ x: value });
    expect(secret).not.toHaveBeenCalled();
  });
});

describe('an expression that grows', () => {
  const holds = (expression: string, list: readonly unknown[]): boolean =>
    Expression.compile(expression, EXIT_CONDITION, 'it').holds({ variables: { tool_results: { list } } });

  it.each([
    'tool_results.list.map(x -> tool_results.list.join("xxxxxxxxxx")).join("")',
    'tool_results.list.map(a -> tool_results.list.map(b -> tool_results.list.map(c -> 1)))',
    'tool_results.list.map(x -> "${tool_results.list}${tool_results.list}")',
  ])('is stopped: %s', (expression) => {
    const list = Array.from({ length: 5000 }, (_, index) => `item ${index}`);
    expect(() => holds(expression, list)).toThrow(/^The expression /);
  });
});
