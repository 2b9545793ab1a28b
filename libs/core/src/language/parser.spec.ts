import { describe, expect, it } from 'vitest';
import { sketch, withoutSpans } from '../../../../test/support/syntax-sketch.js';
import { parse, parseExpression } from './parser.js';
import type { AgentNode, ToolNode } from './syntax-tree.js';

/** The agents of a source without errors. */
function agentsOf(source: string): readonly AgentNode[] {
  const { file, diagnostics } = parse(source);
  expect(diagnostics).toEqual([]);
  return file.agents;
}

/** `key=value` per assignment of the only agent, tools as `tool name:operator`. */
function bodyOf(source: string): string[] {
  return (agentsOf(source)[0]?.body ?? []).map((node) =>
    node.kind === 'tool'
      ? `tool ${node.name.text}:${node.operator.text}`
      : `${node.key.text}=${sketch(node.value)}`,
  );
}

const toolsOf = (source: string): ToolNode[] =>
  agentsOf(source).flatMap(({ body }) => body.filter((node) => node.kind === 'tool'));

describe('a file', () => {
  it.each(['', ' \n', '\uFEFF', '// only a comment', '/// only a doc comment'])(
    'may have no agent: %j',
    (source) => {
      expect(agentsOf(source)).toEqual([]);
    },
  );

  it('has agents in their order', () => {
    const agents = agentsOf('agent a { } stream agent b { } agent c-d { }');
    expect(agents.map(({ name, streaming }) => [name.text, streaming])).toEqual([
      ['a', false],
      ['b', true],
      ['c-d', false],
    ]);
  });

  it('gives places in the source', () => {
    const source = '\uFEFF/// d\r\nstream agent a {\r\n  x = 1\r\n}\r\n';
    const [agent] = agentsOf(source);
    expect(source.slice(agent!.span.start, agent!.span.end)).toBe('stream agent a {\r\n  x = 1\r\n}');
    expect(parse(source).file.span).toEqual({ start: 0, end: source.length });
    expect(agent?.body[0]).toMatchObject({
      key: { text: 'x', span: { start: 28, end: 29 } },
      value: { span: { start: 32, end: 33 } },
      span: { start: 28, end: 33 },
    });
  });

  it.each([undefined, null, 1, {}])('must be a string, not %j', (source) => {
    expect(() => parse(source as never)).toThrow(TypeError);
    expect(() => parseExpression(source as never)).toThrow('give a string');
  });
});

describe('an agent', () => {
  it.each<[string, string[]]>([
    ['agent a { model = "m" max_turns = 3 }', ['model="m"', 'max_turns=3']],
    ['agent a { model = "m", max_turns = 3, }', ['model="m"', 'max_turns=3']],
    ['agent a{x=1 y=2}', ['x=1', 'y=2']],
    [
      'agent agent { agent = 1 tool = 2 input = 3 stream = 4 when = 5 }',
      ['agent=1', 'tool=2', 'input=3', 'stream=4', 'when=5'],
    ],
    ['agent a { "x y" = 1 }', ['x y=1']],
    ['agent a { x = a\n- b\n[c]\n(d) y = 1 }', ['x=(- a (call ([] b c) d))', 'y=1']],
    ['agent a { x = when y = 1 }', ['x=when', 'y=1']],
    ['agent a { tool t : Op { } tool u : Op {}, x = 1 }', ['tool t:Op', 'tool u:Op', 'x=1']],
    ['agent a { x = tool tool t : Op { } }', ['x=tool', 'tool t:Op']],
    ['agent a { x = a.tool tool tool : tool { } }', ['x=(. a tool)', 'tool tool:tool']],
  ])('%s', (source, expected) => {
    expect(bodyOf(source)).toEqual(expected);
  });
});

describe('a tool', () => {
  it('has assignments and inputs', () => {
    const source =
      'agent a { tool t : Op { description = "d", input { q = tool_args.q, description = 1 } } }';
    expect(withoutSpans({ agents: agentsOf(source), span: { start: 0, end: 0 } })).toMatchObject({
      agents: [
        {
          body: [
            {
              kind: 'tool',
              body: [
                { kind: 'assignment', key: { text: 'description' } },
                { kind: 'input', assignments: [{ key: { text: 'q' } }, { key: { text: 'description' } }] },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['tool search-kb : Kb.search { }', 'search-kb', 'Kb.search'],
    ['tool a-1-b_ : x-y.z { }', 'a-1-b_', 'x-y.z'],
    ['tool 2fa : Op { }', '2fa', 'Op'],
    ['tool "a" : "an operator/with signs" { }', 'a', 'an operator/with signs'],
    ['tool tool : tool { }', 'tool', 'tool'],
    ['tool input : agent { }', 'input', 'agent'],
  ])('%s', (tool, name, operator) => {
    expect(toolsOf(`agent a { ${tool} }`)).toMatchObject([
      { name: { text: name }, operator: { text: operator } },
    ]);
  });

  it('has names without white space: `a -b` is none', () => {
    expect(parse('agent a { tool t -b : Op { } }').diagnostics).toHaveLength(1);
  });
});

describe('a doc comment', () => {
  const docOf = (source: string): string | null | undefined => agentsOf(source)[0]?.doc;

  it.each<[string, string | null]>([
    ['/// one\n/// two\nagent a { }', 'one\ntwo'],
    ['///one\n///\n///   two\nagent a { }', 'one\n\ntwo'],
    ['/** one */ agent a { }', 'one'],
    ['/**\n * one\n *\n *   - two\n */\nagent a { }', 'one\n\n  - two'],
    ['/**\r\n   one\r\n   two */\r\nagent a { }', 'one\ntwo'],
    ['/// one\n/** two */\nagent a { }', 'one\ntwo'],
    ['/// far away\n\n\nagent a { }', 'far away'],
    ['/// of the file\n\n/// of the agent\nagent a { }', 'of the agent'],
    ['// ordinary\n/// doc\nagent a { }', 'doc'],
    ['/// doc\n// ordinary\nagent a { }', 'doc'],
    ['/// one\n// ordinary\n/// two\n/* ordinary */ agent a { }', 'two'],
    ['//// no doc\nagent a { }', null],
    ['/// doc\nstream agent a { }', 'doc'],
  ])('%j', (source, expected) => {
    expect(docOf(source)).toBe(expected);
  });

  it('of a tool is not the one that ends the line before', () => {
    const source =
      'agent a { x = 1 /// of x\n tool t : O { }, /** of u */ tool u : O { } /// of v\n, /// of w\n tool w : O { } }';
    expect(toolsOf(source).map(({ doc }) => doc)).toEqual([null, 'of u', 'of w']);
  });

  it('inside an input means nothing', () => {
    const source = 'agent a { tool t : O { input { /// doc\n q = 1 } } }';
    expect(JSON.stringify(agentsOf(source))).not.toContain('"doc":"');
    expect(parse(source).comments).toEqual([{ kind: 'line', doc: true, span: { start: 31, end: 38 } }]);
  });
});

describe('nesting', () => {
  const wide = 20_000;

  it.each<[string, string]>([
    ['parentheses', `${'('.repeat(wide)}1${')'.repeat(wide)}`],
    ['parentheses never closed', '('.repeat(wide)],
    ['lists', `${'['.repeat(wide)}${']'.repeat(wide)}`],
    ['objects', `${'{a:'.repeat(wide)}1${'}'.repeat(wide)}`],
    ['strings', `${'"${'.repeat(wide)}1${'}"'.repeat(wide)}`],
    ['conditionals', 'a ? b : '.repeat(wide) + 'c'],
    ['lambdas', `${'f(x -> '.repeat(wide)}1${')'.repeat(wide)}`],
    ['when', `${'when a { 1 -> '.repeat(wide)}1${'}'.repeat(wide)}`],
    ['subjects', `${'when '.repeat(wide)}a`],
    ['calls', `f${'(f'.repeat(wide)}${')'.repeat(wide)}`],
    ['indexes', `a${'[a'.repeat(wide)}${']'.repeat(wide)}`],
    ['a chain of operators', `1${'+1'.repeat(100_000)}`],
    ['a chain of fields', `a${'.b'.repeat(100_000)}`],
    ['a chain of calls', `a${'()'.repeat(100_000)}`],
    ['signs', `${'!'.repeat(100_000)}a`],
  ])('too deep gives one problem: %s', (_, expression) => {
    expect(parseExpression(expression).diagnostics.map(({ code }) => code)).toEqual(['nested-too-deep']);
    const { file, diagnostics } = parse(`agent a { x = ${expression}\n}\nagent b { }`);
    expect(diagnostics.filter(({ code }) => code === 'nested-too-deep')).toHaveLength(1);
    expect(file.agents[0]?.name.text).toBe('a');
  });

  it('may have 199 brackets and 999 operators', () => {
    expect(parseExpression(`${'['.repeat(199)}1${']'.repeat(199)}`).diagnostics).toEqual([]);
    expect(parseExpression(`1${'+1'.repeat(999)}`).diagnostics).toEqual([]);
    expect(parseExpression(`1${'+1'.repeat(1_000)}`).diagnostics).toHaveLength(1);
  });

  it('of blocks does not recurse', () => {
    expect(parse('agent a { '.repeat(wide) + '}'.repeat(wide)).diagnostics.map(({ code }) => code)).toEqual([
      'misplaced-block',
    ]);
    expect(parse('agent a { '.repeat(wide)).diagnostics).toHaveLength(101);
  });
});

it('tells of a hundred problems, and then that there are more', () => {
  const { diagnostics } = parse(`agent a {\n${'x = \n'.repeat(1_000)}}`);
  expect(diagnostics).toHaveLength(101);
  expect(diagnostics.slice(0, 100).every(({ code }) => code === 'expected-value')).toBe(true);
  expect(diagnostics.at(-1)).toMatchObject({ code: 'too-many-diagnostics' });
});
