import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examples, validSource } from '../../../../test/support/agent-sources.js';
import { sketch } from '../../../../test/support/syntax-sketch.js';
import { canonicalText } from './canonical-text.js';
import { parse, parseExpression } from './parser.js';
import type { AgentNode, ExpressionNode } from './syntax-tree.js';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 200);

const canonical = (text: string): string => canonicalText(parseExpression(text).expression);

describe('canonicalText', () => {
  it.each<[string, string]>([
    ['(turn>3)', 'turn > 3'],
    ['[\n1,2 // two\n]', '[1, 2]'],
    ['(a + b) + c', 'a + b + c'],
    ['a + (b + c)', 'a + (b + c)'],
    ['(a + b) * c', '(a + b) * c'],
    ['!(a)', '!a'],
    ['!(a && b)', '!(a && b)'],
    ['(-1).abs()', '(-1).abs()'],
    ['-(1.abs())', '-1.abs()'],
    ['(a ? b : c) ? d : (e ? f : g)', '(a ? b : c) ? d : e ? f : g'],
    ['a ?? (b ?? c)', 'a ?? (b ?? c)'],
    ['"""two\nlines"""', '"two\\nlines"'],
    ['"a\\u{62}\\${c}"', '"ab\\${c}"'],
    ['"a${(b)}c"', '"a${b}c"'],
    ['0.70', '0.7'],
    ['1e20', '1e+20'],
    ['90s', '90s'],
    ['120s', '2m'],
    ['0ms', '0ms'],
    ['{ "a": 1 "b c": 2 }', '{ a: 1, "b c": 2 }'],
    ['{ }', '{}'],
    ['when ( [1] ) { 1 -> 2 }', 'when ([1]) { 1 -> 2 }'],
    ['when (x) { (otherwise) -> 2 otherwise -> 3 }', 'when x { (otherwise) -> 2, otherwise -> 3 }'],
    ['list.filter( x -> (x.a) )', 'list.filter(x -> x.a)'],
    ['a?[0] ? [1] : b?.c', 'a?[0] ? [1] : b?.c'],
  ])('%s is %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(canonical(expected)).toBe(expected);
  });

  it.each([...examples])('is read as the same trees in %s', (_, source) => {
    expect(changed(source)).toEqual([]);
  });

  it('is read as the same tree, whatever that is', () => {
    fc.assert(
      fc.property(validSource, (source) => {
        expect(changed(source)).toEqual([]);
      }),
      { numRuns },
    );
  });
});

/** The canonical texts of a source that are not on one line, or not read as the trees they are of. */
function changed(source: string): string[] {
  return expressionsOf(parse(source).file.agents)
    .filter((node) => {
      const text = canonicalText(node);
      const { expression, diagnostics } = parseExpression(text);
      return /[\r\n]/.test(text) || diagnostics.length > 0 || sketch(expression) !== sketch(node);
    })
    .map(canonicalText);
}

function expressionsOf(agents: readonly AgentNode[]): ExpressionNode[] {
  return agents
    .flatMap(({ body }) => body)
    .flatMap((item) => (item.kind === 'tool' ? item.body : [item]))
    .flatMap((item) => (item.kind === 'input' ? item.assignments : [item]))
    .map(({ value }) => value);
}
