import { describe, expect, it } from 'vitest';
import { sketch } from '../../../../../test/support/syntax-sketch.js';
import { parseExpression } from '../parser.js';

describe('expressions', () => {
  it.each([
    // Literals.
    ['1', '1'],
    ['0.75', '0.75'],
    ['.5', '0.5'],
    ['2e3', '2000'],
    ['1E-2', '0.01'],
    ['007', '7'],
    ['25ms', '25ms'],
    ['3s', '3000ms'],
    ['15m', '900000ms'],
    ['72h', '259200000ms'],
    ['30d', '2592000000ms'],
    ['1.5h', '5400000ms'],
    ['true', 'true'],
    ['null', 'null'],
    ['"a\\n\\t\\r\\\\\\"\\$\\u00e9\\u{1F600}\\uD83D\\uDE00"', '"a\\n\\t\\r\\\\\\"$é😀😀"'],
    ['"\\${a} $5 $"', '"${a} $5 $"'],
    ['"""a\\n${b} "c"""""', '"a\\\\n${b} \\"c\\"\\""'],
    ['"""\n  a\r\n  b\n"""', '"  a\\n  b\\n"'],
    ['"""\r\na"""', '"a"'],
    ['""""""', '""'],
    ['"${a}"', '(template a)'],
    ['"x${a}${b}y"', '(template "x" a b "y")'],
    ['"${{ a: "}" }.a}"', '(template (. {a: "}"} a))'],
    ['"${"${"deep"}"}"', '(template (template "deep"))'],
    ['"${a /* } */}"', '(template a)'],
    // Lists.
    ['[]', '[]'],
    ['[1, a, "b",]', '[1 a "b"]'],
    ['{}', '{}'],
    ['{ a: 1, "b c": 2 when: 3, }', '{a: 1, b c: 2, when: 3}'],
    ['{ a: { b: [1] } }', '{a: {b: [1]}}'],
    // Precedence, loosest first.
    ['a ? b : c ?? d', '(? a b (?? c d))'],
    ['a ?? b || c', '(?? a (|| b c))'],
    ['a || b && c', '(|| a (&& b c))'],
    ['a && b == c', '(&& a (== b c))'],
    ['a == b < c', '(== a (< b c))'],
    ['a < b + c', '(< a (+ b c))'],
    ['a + b * c', '(+ a (* b c))'],
    ['a * -b', '(* a (- b))'],
    ['-a.b', '(- (. a b))'],
    ['!a[0]', '(! ([] a 0))'],
    ['!!a', '(! (! a))'],
    ['- -1', '(- (- 1))'],
    ['a * b + c', '(+ (* a b) c)'],
    ['(a + b) * c', '(* (+ a b) c)'],
    ['a != b >= c', '(!= a (>= b c))'],
    // Associativity.
    ['a - b - c', '(- (- a b) c)'],
    ['a / b % c', '(% (/ a b) c)'],
    ['a ?? b ?? c', '(?? (?? a b) c)'],
    ['a == b != c', '(!= (== a b) c)'],
    ['a ? b : c ? d : e', '(? a b (? c d e))'],
    ['a ? b ? c : d : e', '(? a (? b c d) e)'],
    // What follows an operand.
    ['a.b?.c[0]?[1].d()', '(call (. (?[] ([] (?. (. a b) c) 0) 1) d))'],
    ['a.when.tool.true', '(. (. (. a when) tool) true)'],
    ['a[-1]', '([] a (- 1))'],
    ['f(1, x -> x.y, [2],)', '(call f 1 (-> x (. x y)) [2])'],
    ['a.map(x -> y.map(z -> x + z))', '(call (. a map) (-> x (call (. y map) (-> z (+ x z)))))'],
    ['a\n.b\n[0]\n(1)', '(call ([] (. a b) 0) 1)'],
    ['1\n-y', '(- 1 y)'],
    ['"a".length', '(. "a" length)'],
    ['1.foo', '(. 1 foo)'],
    ['a-b', '(- a b)'],
    // `?` before a bracket or a fraction.
    ['a?[1]', '(?[] a 1)'],
    ['a ?[1]', '(?[] a 1)'],
    ['a ?[1] : 2', '(? a [1] 2)'],
    ['a?[1]:2', '(? a [1] 2)'],
    ['a ? [1] : 2', '(? a [1] 2)'],
    ['a ? b?[1] : 2', '(? a (?[] b 1) 2)'],
    ['a ? b ?[1] : 2 : 3', '(? a (? b [1] 2) 3)'],
    ['a ? f(b?[1]) : 2', '(? a (call f (?[] b 1)) 2)'],
    ['a ? (b?[1]:3) : 2', '(? a (? b [1] 3) 2)'],
    ['a ?.5:1', '(? a 0.5 1)'],
    ['a?.b', '(?. a b)'],
    // When.
    ['when a { "b" -> 1 "c" -> 2 otherwise -> 3 }', '(when a ("b" 1) ("c" 2) (otherwise 3))'],
    ['when a { 1 -> x, -1 -> y }', '(when a (1 x) ((- 1) y))'],
    ['when input { tool -> 1 }', '(when input (tool 1))'],
    ['when a.b ? c : d { }', '(when (? (. a b) c d))'],
    ['when (a) { otherwise -> when b { 1 -> 2 } }', '(when a (otherwise (when b (1 2))))'],
    ['when + 1', '(+ when 1)'],
    ['when - 1', '(- when 1)'],
    ['when.a', '(. when a)'],
    ['when', 'when'],
    ['otherwise', 'otherwise'],
    ['not.and.or', '(. (. not and) or)'],
    // Comments anywhere.
    ['a /* b */ + // c\n d', '(+ a d)'],
  ])('%s', (source, expected) => {
    const { expression, diagnostics } = parseExpression(source);
    expect(diagnostics).toEqual([]);
    expect(sketch(expression)).toBe(expected);
  });

  it('have spans with their parentheses', () => {
    const { expression } = parseExpression(' ( a + b ) * c ');
    expect(expression).toMatchObject({ span: { start: 1, end: 14 }, left: { span: { start: 1, end: 10 } } });
  });

  it.each([
    ['', 'expected-value'],
    ['a b', 'unexpected-token'],
    ['a +', 'expected-value'],
    ['(a', 'unclosed-bracket'],
    ['a)', 'unexpected-token'],
    ['x -> x', 'misplaced-lambda'],
    ['[x -> x]', 'misplaced-lambda'],
    ['f((x) -> x)', 'invalid-lambda'],
    ['[1 -2, 3 4]', 'expected-comma'],
    ['[1,,2]', 'expected-value'],
    ['f(a = 1)', 'named-argument'],
    ['a ? b', 'expected-colon'],
    ['a.', 'expected-name'],
    ['a?.[0]', 'invalid-symbol'],
    ['a[]', 'expected-value'],
    ['a[1, 2]', 'unexpected-token'],
    ['{ 1: 2 }', 'expected-name'],
    ['{ a }', 'expected-colon'],
    ['{ a = 1 }', 'expected-colon'],
    ['12abc', 'invalid-number'],
    ['1.2.3', 'invalid-number'],
    ['1e999', 'invalid-number'],
    ['9007199254740992', 'invalid-number'],
    ['0.5ms', 'invalid-number'],
    ['"\\q"', 'invalid-escape'],
    ['"\\u12"', 'invalid-escape'],
    ['"\\u{110000}"', 'invalid-escape'],
    ['"\\uD83D"', 'invalid-escape'],
    ['"${}"', 'expected-value'],
    ['"${a b}"', 'unexpected-token'],
    ['when { 1 -> 2 }', 'expected-value'],
    ['when a { 1 2 }', 'expected-arrow'],
    ['when a { 1: 2 }', 'expected-arrow'],
    ['when a 1 -> 2', 'expected-brace'],
    ['when a { 1 -> b -1 -> c }', 'unexpected-token'],
    ['when a { otherwise -> 1 2 -> 3 4 -> 5 }', 'branch-after-otherwise'],
    ['a and b', 'invalid-symbol'],
    ['not a', 'invalid-symbol'],
    ["'a'", 'invalid-symbol'],
    ['a === b', 'invalid-symbol'],
  ])('%j has one problem: %s', (source, code) => {
    expect(parseExpression(source).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });

  it('go on after a habit of another language', () => {
    expect(sketch(parseExpression('a and not b or c === 1').expression)).toBe('(|| (&& a (! b)) (== c 1))');
    expect(sketch(parseExpression('f(x => x)').expression)).toBe('(call f (-> x x))');
  });
});
