import { describe, expect, it } from 'vitest';
import { formatSource } from './formatter.js';

function formatted(source: string): string {
  const result = formatSource(source);
  return 'text' in result ? result.text : JSON.stringify(result.diagnostics);
}

/** A value as it is printed after `x = ` in an agent. */
function value(source: string): string {
  const text = formatted(`agent a { x = ${source} }`);
  return text.slice('agent a {\n  x = '.length, -'\n}\n'.length).replaceAll('\n  ', '\n');
}

describe('blocks', () => {
  it.each<[string, string, string]>([
    ['nothing', ' \n', ''],
    ['an empty agent', 'agent   a{\n\n}', 'agent a {}\n'],
    ['one assignment per line, without commas', 'agent a { x=1,y=2 }', 'agent a {\n  x = 1\n  y = 2\n}\n'],
    [
      'at most one blank line between, none at the ends',
      'agent a {\n\n\nx = 1\n\n\n\ny = 2\nz = 3\n\n}',
      'agent a {\n  x = 1\n\n  y = 2\n  z = 3\n}\n',
    ],
    [
      'one blank line between agents',
      'agent a {} stream agent b {}\n\n\n// c\nagent c {}',
      'agent a {}\n\nstream agent b {}\n\n// c\nagent c {}\n',
    ],
    [
      'tools on lines of their own',
      'agent a { tool t:O{ d = 1 input{q=1} } }',
      'agent a {\n  tool t : O {\n    d = 1\n    input { q = 1 }\n  }\n}\n',
    ],
    [
      'an input stays on its line',
      'agent a { tool t : O { input { q = 1 r = 2, } input {\nq = 1 } input { } } }',
      'agent a {\n  tool t : O {\n    input { q = 1, r = 2 }\n    input {\n      q = 1\n    }\n    input {}\n  }\n}\n',
    ],
    [
      'names as they are written',
      'agent a-b { tool "t" : x.y-z { } "k" = 1 }',
      'agent a-b {\n  tool "t" : x.y-z {}\n  "k" = 1\n}\n',
    ],
    [
      'LF, and no byte order mark',
      '\uFEFFagent a {\r\n  x = 1\r\n\r\n  y = """a\r\nb"""\r\n}',
      'agent a {\n  x = 1\n\n  y = """a\nb"""\n}\n',
    ],
  ])('%s', (_, source, expected) => {
    expect(formatted(source)).toBe(expected);
  });

  it('breaks an input that does not fit', () => {
    const long = `"${'x'.repeat(90)}"`;
    expect(formatted(`agent a { tool t : O { input { q = ${long} } } }`)).toContain(
      `    input {\n      q = ${long}\n    }\n`,
    );
  });
});

describe('comments', () => {
  it.each<[string, string, string]>([
    [
      'on lines of their own',
      'agent a {\n// one\n\n// two\nx = 1\n// three\n}\n// four',
      'agent a {\n  // one\n\n  // two\n  x = 1\n  // three\n}\n// four\n',
    ],
    [
      'behind',
      'agent a { // one\nx = 1 /* two */ // three\n} // four',
      'agent a { // one\n  x = 1 /* two */ // three\n} // four\n',
    ],
    ['before, on the same line', 'agent a { /* one */ x = 1 }', 'agent a {\n  /* one */\n  x = 1\n}\n'],
    [
      'with stars below each other',
      'agent a {\n    /**\n  * one\n      *  two\n*/\nx = 1 }',
      'agent a {\n  /**\n   * one\n   *  two\n   */\n  x = 1\n}\n',
    ],
    [
      'without stars as they are',
      'agent a {\n/* one  \n     two */\nx = 1 }',
      'agent a {\n  /* one\n     two */\n  x = 1\n}\n',
    ],
    [
      'in a header, which stays as it is',
      'agent /* one */ a  { x = 1 }',
      'agent /* one */ a  {\n  x = 1\n}\n',
    ],
    [
      'in an assignment, which stays as it is',
      'agent a { x  = // one\n 1 }',
      'agent a {\n  x  = // one\n 1\n}\n',
    ],
    [
      'in a list',
      'agent a { x = [1, // one\n2 /* two */\n// three\n] }',
      'agent a {\n  x = [\n    1, // one\n    2 /* two */\n    // three\n  ]\n}\n',
    ],
    [
      'after a comma that goes',
      'agent a { x = 1\n, // one\n y = 2 }',
      'agent a {\n  x = 1\n  // one\n  y = 2\n}\n',
    ],
    [
      'in the middle of an expression, which stays as it is',
      'agent a { x = 1  + /* one */ 2  * 3 }',
      'agent a {\n  x = 1  + /* one */ 2  * 3\n}\n',
    ],
  ])('%s', (_, source, expected) => {
    expect(formatted(source)).toBe(expected);
  });
});

describe('expressions', () => {
  it.each([
    ['a+b*-c', 'a + b * -c'],
    ['( a+b )*((c))', '(a + b) * (c)'],
    ['!a&&b', '!a && b'],
    ['a?b:c', 'a ? b : c'],
    ['a ?[1]:2', 'a ? [1] : 2'],
    ['a ?[1]', 'a?[1]'],
    ['a . b ?. c [ 1 ] ( 2,3, )', 'a.b?.c[1](2, 3)'],
    ['xs.map( x->x.y )', 'xs.map(x -> x.y)'],
    ['[ 1,2, ]', '[1, 2]'],
    ['[ ]', '[]'],
    ['{a:1 "b":2}', '{ a: 1, "b": 2 }'],
    ['{ }', '{}'],
    ['when  a{1->2 otherwise->3}', 'when a { 1 -> 2, otherwise -> 3 }'],
    ['when a { }', 'when a {}'],
    ['"a\\u0041${ b }" + """r"""', '"a\\u0041${ b }" + """r"""'],
    ['007 + .50 + 1E3 + 25ms', '007 + .50 + 1E3 + 25ms'],
    ['[\n1, 2]', '[\n  1,\n  2\n]'],
    ['{\na: [1,\n2] }', '{\n  a: [1, 2]\n}'],
    ['f(\na, b)', 'f(\n  a,\n  b\n)'],
    ['when a {\n1 -> 2\n\n3 -> 4 otherwise -> 5 }', 'when a {\n  1 -> 2,\n\n  3 -> 4,\n  otherwise -> 5\n}'],
  ])('%j', (source, expected) => {
    expect(value(source)).toBe(expected);
  });

  const [a, b] = ['a'.repeat(50), 'b'.repeat(50)];

  it.each([
    [`[${a}, ${b}]`, `[\n  ${a},\n  ${b}\n]`],
    [`f(${a}, ${b})`, `f(\n  ${a},\n  ${b}\n)`],
    [`{ x: ${a}, y: ${b} }`, `{\n  x: ${a},\n  y: ${b}\n}`],
    [`${a} || ${b} || c && d`, `${a}\n  || ${b}\n  || c && d`],
    [`(${a} + 1) * ${b}`, `(${a} + 1)\n  * ${b}`],
    [`x ? ${a} : ${b}`, `x\n  ? ${a}\n  : ${b}`],
    [`when x { 1 -> ${a} otherwise -> ${b} }`, `when x {\n  1 -> ${a},\n  otherwise -> ${b}\n}`],
    [`"${a}${b}"`, `"${a}${b}"`],
  ])('that do not fit on a line are broken: %s', (source, expected) => {
    expect(value(source)).toBe(expected);
  });
});

it('gives the diagnostics of a source with errors instead', () => {
  expect(formatSource('agent a { x = }')).toMatchObject({ diagnostics: [{ code: 'expected-value' }] });
});

it('takes a string only', () => {
  expect(() => formatSource(undefined as never)).toThrow(TypeError);
});
