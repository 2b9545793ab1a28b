import { describe, expect, it } from 'vitest';
import { LineMap } from './line-map.js';
import { parse } from './parser.js';

/** Problems as `line:column code`. */
function problemsOf(source: string): string[] {
  const lines = new LineMap(source);
  return parse(source).diagnostics.map(({ code, span }) => {
    const { line, column } = lines.position(span.start);
    return `${line}:${column} ${code}`;
  });
}

const inAgent = (body: string): string => `agent a {\n${body}\n}\nagent b { x = 1 }`;

describe('one mistake in an agent is one problem', () => {
  it.each<[string, string, string]>([
    ['missing value', 'x =\ny = 1', '2:4 expected-value'],
    ['missing value at the end', 'x =', '2:4 expected-value'],
    ['missing value before a tool', 'x =\ntool t : O { }', '2:4 expected-value'],
    ['missing operand', 'x = 1 +\ny = 1', '2:8 expected-value'],
    ['missing =', 'model "m"\ny = 1', '2:7 expected-equals'],
    ['missing = before a name', 'memory full()\ny = 1', '2:8 expected-equals'],
    ['missing = before an object', 'x { type: "object" }\ny = 1', '2:3 expected-equals'],
    [': for =', 'model: "m"\ny = 1', '2:6 expected-equals'],
    ['== for =', 'x == 1\ny = 1', '2:3 expected-equals'],
    ['stray word', 'foo\ny = 1', '2:4 expected-equals'],
    ['stray number', 'x = 1 2\ny = 1', '2:7 unexpected-token'],
    ['decimal comma', 'x = 0,7\ny = 1', '2:7 unexpected-token'],
    ['two commas', 'x = 1,,\ny = 1', '2:7 unexpected-token'],
    ['stray closing bracket', 'x = 1)\ny = 1', '2:6 unexpected-token'],
    ['stray operator', 'x = 1\n* / 2\ny = 1', '3:3 expected-value'],
    ['semicolon', 'x = 1;\ny = 1', '2:6 unexpected-character'],
    ['comment of another language', '# text = {\ny = 1', '2:1 unexpected-character'],
    ['comment of another language behind', 'x = 1 # text } {\ny = 1', '2:7 unexpected-character'],
    ['strange sign for a value', 'x = @\ny = 1', '2:5 unexpected-character'],
    ['strange sign before a value', 'x = @1\ny = 1', '2:5 unexpected-character'],
    ['strange sign between values', 'x = [1 @ 2]\ny = 1', '2:8 unexpected-character'],
    ['single quotes', "x = 'a b'\ny = 1", '2:5 invalid-symbol'],
    ['single quotes in a call', "x = f('a', 'b'.c)\ny = 1".replace("'b'.c", '2'), '2:7 invalid-symbol'],
    ['open string', 'x = "a\ny = 1', '2:7 unclosed-string'],
    ['open string in a call', 'x = f("a)\ny = 1', '2:9 unclosed-string'],
    ['open string in an input', 'tool t : O { input { x = "a } }\ny = 1', '2:29 unclosed-string'],
    ['open expression in a string', 'x = "a ${b"\ny = 1', '2:12 unclosed-interpolation'],
    ['assignment for a comparison', 'x = y = 1', '2:7 invalid-symbol'],
    ['open parenthesis', 'x = f(1\ny = 1', '2:8 unclosed-bracket'],
    ['open parenthesis after a comma', 'x = f(1,\ny = 1', '2:9 unclosed-bracket'],
    ['open list', 'x = [1, 2\ny = 1', '2:10 unclosed-bracket'],
    ['open list before a tool', 'x = [1, 2\ntool t : O { }', '2:10 unclosed-bracket'],
    ['open object', 'x = { a: 1\ny = 1', '2:11 unclosed-bracket'],
    ['open lists', 'x = [[(1\ny = 1', '2:9 unclosed-bracket'],
    ['open when', 'x = when y { 1 -> 2\ny = 1', '2:20 unclosed-bracket'],
    ['wrong closing bracket', 'x = f(1]\ny = 1', '2:8 unclosed-bracket'],
    ['missing comma', 'x = f(1 2)\ny = 1', '2:9 expected-comma'],
    ['missing element', 'x = [1,,2]\ny = 1', '2:8 expected-value'],
    ['named argument', 'x = f(a = 1, b)\ny = 1', '2:7 named-argument'],
    ['= in an object', 'x = { a = 1, b: 2 }\ny = 1', '2:9 expected-colon'],
    ['missing : in an object', 'x = { a 1, b: 2 }\ny = 1', '2:9 expected-colon'],
    ['missing : in a conditional', 'x = a ? b\ny = 1', '2:10 expected-colon'],
    ['missing { of when', 'x = when y 1 -> 2, 3 -> 4 }\ny = 1', '2:12 expected-brace'],
    ['missing branches of when', 'x = when y\ny = 1', '2:11 expected-brace'],
    ['missing field', 'x = a.\ny = 1', '2:7 expected-name'],
    ['missing : of a tool', 'tool t O { x = 1 }\ny = 1', '2:8 expected-colon'],
    ['= for : of a tool', 'tool t = O { x = 1 }\ny = 1', '2:8 expected-colon'],
    ['missing operator', 'tool t { x = 1 }\ny = 1', '2:8 expected-colon'],
    ['missing operator after :', 'tool t : { x = 1 }\ny = 1', '2:10 expected-name'],
    ['missing name of a tool', 'tool : O { x = 1 }\ny = 1', '2:6 expected-name'],
    ['missing { of a tool', 'tool t : O x = 1 }\ny = 1', '2:12 expected-brace'],
    ['missing body of a tool', 'tool t : O\ny = 1', '2:11 expected-brace'],
    ['missing body of a tool before another', 'tool t : O\ntool u : O { }', '2:11 expected-brace'],
    ['missing { of an input', 'tool t : O { input q = 1 }\nx = 1 }\ny = 1', '2:20 expected-brace'],
    ['missing } of an input', 'tool t : O { input { q = 1 }\ntool u : O { }', '2:29 unclosed-block'],
    ['missing } of a tool', 'tool t : O { x = 1\ntool u : O { }', '2:19 unclosed-block'],
    ['input in an agent', 'input { q = 1 }\ny = 1', '2:1 misplaced-block'],
    ['tool in a tool', 'tool t : O { tool u : P { x = } }\ny = 1', '2:14 misplaced-block'],
    ['agent in an agent', 'agent c { x = }\ny = 1', '2:1 misplaced-block'],
    ['input in an input', 'tool t : O { input { input { x = } } }\ny = 1', '2:22 misplaced-block'],
    ['misspelt tool', 'tol t : O { input { q = 1 } }\ny = 1', '2:1 unknown-block'],
    ['misspelt input', 'tool t : O { inptu { q = 1 } }\ny = 1', '2:14 unknown-block'],
    ['unknown block', 'prompts { x = 1 }\ny = 1', '2:1 unknown-block'],
    ['unknown block with a header', 'prompts p : q { x = 1 }\ny = 1', '2:1 unknown-block'],
    ['misplaced lambda', 'x = y -> y + 1\ny = 1', '2:7 misplaced-lambda'],
    ['missing comma before a pattern', 'x = when y { 1 -> a -1 -> b }\ny = 1', '2:24 unexpected-token'],
    ['an open string for the rest of a header', 'tool t"u\n: O { }\ny = 1', '2:9 unclosed-string'],
    ['wrong escape', 'x = "\\d"\ny = 1', '2:6 invalid-escape'],
    ['wrong number', 'x = 5days\ny = 1', '2:5 invalid-number'],
  ])('%s', (_, body, problem) => {
    const source = inAgent(body);
    expect(problemsOf(source)).toEqual([problem]);
    expect(parse(source).file.agents.at(-1)?.name.text).toBe('b');
    expect(parse(source).file.agents.at(-1)?.body).toHaveLength(1);
  });

  it('also if many are made', () => {
    const source = inAgent(
      [
        'model: "m"',
        'x = ',
        'tool t O { input { q = f(1 } }',
        'y = [1,,2]',
        "z = 'q'",
        'w = "${a b}"',
        'tool u : P { v 1 }',
      ].join('\n'),
    );
    expect(problemsOf(source)).toEqual([
      '2:6 expected-equals',
      '3:4 expected-value',
      '4:8 expected-colon',
      '4:28 unclosed-bracket',
      '5:8 expected-value',
      '6:5 invalid-symbol',
      '7:10 unexpected-token',
      '8:16 expected-equals',
    ]);
  });
});

describe('one mistake in a file is one problem', () => {
  it.each<[string, string, string[]]>([
    [
      'unsupported blocks',
      'graph g { node a : B { x => @ } }\nsession s { "open }\nstate_machine { }\nagent a { }',
      ['1:1 unsupported-root', '2:1 unsupported-root', '3:1 unsupported-root'],
    ],
    ['a misspelt root is read', 'agen a { x = }', ['1:1 unknown-root', '1:14 expected-value']],
    ['an unknown root is not', 'workflow a { x = }\nthing { y = }', ['1:1 unknown-root', '2:1 unknown-root']],
    ['an assignment outside', 'model = "m" x = 1\nagent a { }', ['1:1 unknown-root']],
    ['missing name', 'agent { x = 1 }', ['1:7 expected-name']],
    ['missing {', 'agent a x = 1 }\nagent b { }', ['1:9 expected-brace']],
    ['missing body', 'agent a\nagent b { }', ['1:8 expected-brace']],
    ['missing }', 'agent a { x = 1\nagent b { }', ['1:16 unclosed-block']],
    ['missing } at the end', 'agent a { x = 1', ['1:16 unclosed-block']],
    ['missing }}} at the end', 'agent a { tool t : O { input { x = 1', ['1:37 unclosed-block']],
    ['} too many', 'agent a { } }\nagent b { }', ['1:13 unexpected-token']],
    ['} too many in an agent', 'agent a { tool t : O { } } x = 1 }\nagent b { }', ['1:28 unknown-root']],
    ['stream without agent', 'stream a { x = 1 }', ['1:8 expected-agent']],
    ['open raw string', 'agent a { x = """b }\nagent b { }', ['2:12 unclosed-string']],
    ['open comment', 'agent a { /* x = 1 }\nagent b { }', ['2:12 unclosed-comment']],
    [
      'only strange signs',
      '@ $ @',
      ['1:1 unexpected-character', '1:3 unexpected-character', '1:5 unexpected-character'],
    ],
    [
      'each agent misses its }',
      'agent a {\nagent b {\nagent c { }',
      ['1:10 unclosed-block', '2:10 unclosed-block'],
    ],
  ])('%s', (_, source, problems) => {
    expect(problemsOf(source)).toEqual(problems);
  });
});

describe('what a problem says', () => {
  it.each<[string, object]>([
    [
      'agent a { tool t : O {\nagent b { }',
      {
        message: 'This tool is not closed: expected "}", but found "agent".',
        related: [{ message: 'opened here', span: { start: 21, end: 22 } }],
      },
    ],
    [
      'agent a { x = f(1\n}',
      {
        message: 'This "(" is not closed: expected ")", but found "}".',
        related: [{ span: { start: 15, end: 16 } }],
      },
    ],
    ['graph g { }', { message: '"graph" is not supported yet; a file holds agent { … } blocks.' }],
    [
      'agen a { }',
      { message: '"agen" begins nothing; a file holds agent { … } blocks.', hint: 'did you mean "agent"?' },
    ],
    ['agent a { tol t : O { } }', { hint: 'did you mean "tool"?' }],
    ['agent a { tool t { } }', { hint: 'write tool t : Operator { … }' }],
    ['agent a { x = y = "b" }', { message: '"=" compares nothing.', hint: 'write "=="' }],
    ['agent a { x = @ }', { message: '"@" has no meaning here.' }],
    [
      'agent a { input { } }',
      { message: '"input" cannot stand inside an agent.', hint: 'an input stands in a tool' },
    ],
    [`agent a { x = [1 "${'y'.repeat(100)}"] }`, { message: expect.stringMatching(/found "y{39}…\.$/) }],
  ])('%s', (source, expected) => {
    expect(parse(source).diagnostics).toMatchObject([expected]);
  });
});
