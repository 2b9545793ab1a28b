import { describe, expect, it } from 'vitest';
import { operators, problemsOf } from '../../../../../test/support/dsl-problems.js';
import { AgentDslCompiler } from '../../definition/agent-dsl.compiler.js';
import { OperatorRegistry } from '../../operators/operator.registry.js';

const codesOf = (source: string, catalog = operators): string[] =>
  new AgentDslCompiler(catalog).check(source).diagnostics.map(({ code }) => code);

describe('a file', () => {
  it('with three mistakes has three, in the order of their places', () => {
    const source = `agent support {
  modl = "gpt-4o"
  tool search : KbSearch {
    input { query = args.query }
  }
  exit_condition = content.startWith("DONE")
}`;
    expect(problemsOf(source)).toEqual([
      '2:3 error[unknown-property] "modl" is no property of an agent. (did you mean "model"?)',
      '4:21 error[unknown-variable] "args" is not known in input. (input knows tool_args and ctx)',
      '6:28 error[unknown-method] "startWith" is no method. (did you mean "startsWith"?)',
    ]);
  });

  it('is checked where the syntax is right', () => {
    const source = `agent a { model = "m" max_turns = }
agent b { model = "m" max_turns = 0 }`;
    expect(codesOf(source)).toEqual(['expected-value', 'out-of-range']);
  });

  it.each([
    ['the model', 'agent a { model "m" }', ['expected-equals']],
    ['the model, lost with its value', 'agent a { model }', ['expected-equals']],
    ['an operator', 'agent a { model = "m" tool t { } }', ['expected-colon']],
    ['the name of a tool', 'agent a { model = "m" tool : Escalate { } }', ['expected-name']],
    ['the name of an agent', 'agent { model = "m" }', ['expected-name']],
    ['a value', 'agent a { model = "m" memory = sliding_window( }', ['unclosed-bracket']],
    ['an operand', 'agent a { model = "m" exit_condition = turn > }', ['expected-value']],
    [
      'a tool',
      'agent a { model = "m" tool search Escalate { } exit_condition = tool_call("serch") }',
      ['expected-colon'],
    ],
    [
      'a field',
      'agent a { model = "m" tool t : KbSearch { input { query tool_args.query } } }',
      ['expected-equals'],
    ],
    ['a lambda', 'agent a { model = "m" exit_condition = turn -> turn > 3 }', ['misplaced-lambda']],
    ['an agent', '', []],
  ])('is not told to miss %s after the parser has', (_, source, codes) => {
    expect(codesOf(source)).toEqual(codes);
  });

  it('may use roots of later versions: each gives one error', () => {
    expect(codesOf('graph g { node a : B { } }\nsession s { }\nstate_machine m { }')).toEqual(
      Array<string>(3).fill('unsupported-root'),
    );
  });

  it('is as good without a catalog, but for the names of operators', () => {
    const source = 'agent a { model = "m" tool t : Anything { input { x = tool_args.x } } }';
    expect(new AgentDslCompiler().check(source).diagnostics).toEqual([]);
    expect(codesOf(source)).toEqual(['unknown-operator']);
  });

  it('tells at most a hundred of its mistakes', () => {
    const source = `agent a { model = "m" ${'x = 1 '.repeat(200)} }`;
    expect(codesOf(source)).toHaveLength(101);
    expect(codesOf(source).at(-1)).toBe('too-many-diagnostics');
  });
});

describe('related places', () => {
  it.each([
    ['agent a { model = "m" }\nagent a { model = "m" }', 'first declared here', 6, 7],
    ['agent a { model = "m"\nmodel = "n" }', 'first declared here', 10, 15],
    ['agent a { model = "m" tool t : Escalate { } tool t : Escalate { } }', 'first declared here', 27, 28],
    ['agent a { model = "m" tool t : Escalate { input { } input { } } }', 'first declared here', 42, 47],
    ['agent a { model = "m" tool t : Escalate { input { x = 1, x = 2 } } }', 'first declared here', 50, 51],
    ['stream agent a { model = "m" streaming = false }', 'declared as streaming here', 0, 6],
  ])('of %j', (source, message, start, end) => {
    const { diagnostics } = new AgentDslCompiler(operators).check(source);
    expect(diagnostics.map(({ related }) => related)).toEqual([[{ message, span: { start, end } }]]);
  });
});

describe('tools = "all"', () => {
  const source =
    'agent a { model = "m" tools = "all" exit_condition = tool_call("KbSearch") || tool_call("Kb") }';

  it('offers the operators: their names are known', () => {
    expect(problemsOf(source)).toEqual([
      '1:89 warning[unknown-tool] The agent has no tool "Kb": this is never true. (its tools are KbSearch, Refund and Escalate)',
    ]);
  });

  it('can name anything where the operators are not known', () => {
    expect(new AgentDslCompiler().check(source).diagnostics).toEqual([]);
  });
});

describe('what an operator takes', () => {
  const check = (jsonSchema: object, input: string): string[] => {
    const catalog = {
      has: () => true,
      names: () => ['Op'],
      metadata: () => ({ kind: 'tool' as const, input: { jsonSchema: { ...jsonSchema } } }),
    };
    return codesOf(`agent a { model = "m" tool t : Op { ${input} } }`, catalog as never);
  };
  const properties = { a: {}, b: {} };

  it.each<[string, object, string, string[]]>([
    ['all that is needed', { properties, required: ['a'] }, 'input { a = 1 }', []],
    ['no input: its own schema', { properties, required: ['a'] }, '', []],
    ['nothing is known', {}, 'input { colour = 1 }', []],
    ['others are welcome', { properties, additionalProperties: true }, 'input { colour = 1 }', []],
    ['patterns are welcome', { properties, patternProperties: { x: {} } }, 'input { colour = 1 }', []],
    ['others are ignored', { properties }, 'input { colour = 1 }', ['unknown-field']],
    ['two are needed', { properties, required: ['a', 'b'] }, 'input { }', ['missing-field']],
    [
      'something else is needed',
      { properties, required: ['a'] },
      'input { colour = 1 }',
      ['missing-field', 'unknown-field'],
    ],
  ])('%s', (_, schema, input, codes) => {
    expect(check(schema, input)).toEqual(codes);
  });
});

describe('an operator with a schema that nobody has checked', () => {
  const catalogOf = (jsonSchema: object): typeof operators =>
    OperatorRegistry.builder()
      .register('Op', {
        metadata: {
          input: {
            jsonSchema: { ...jsonSchema },
            unchecked: true,
            validate: (value) => ({ ok: true, value }),
          },
        },
        execute: () => null,
      })
      .build();

  it.each<[string, object]>([
    ['a type that does not exist', { type: 'object', properties: { a: { type: 'foo' } } }],
    ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
    ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/b' } } }],
  ])('that has %s is warned of', (_, schema) => {
    const { diagnostics, definitions } = new AgentDslCompiler(catalogOf(schema)).check(
      'agent a { model = "m" tool t : Op { } }',
    );
    expect(diagnostics).toMatchObject([
      { code: 'invalid-schema', severity: 'warning', span: { start: 31, end: 33 } },
    ]);
    expect(definitions).toHaveLength(1);
  });

  it('that is right is not', () => {
    expect(codesOf('agent a { model = "m" tool t : Op { } }', catalogOf({ type: 'object' }))).toEqual([]);
  });
});

it('an agent that is an operator is no remedy for itself', () => {
  const catalog = OperatorRegistry.builder()
    .register('support', { execute: () => null })
    .register('Escalate', { execute: () => null })
    .build();
  const { diagnostics } = new AgentDslCompiler(catalog).check(
    'agent support { model = "m" tool t : Suport { } }',
  );
  expect(diagnostics[0]?.hint).toBe('the operators are Escalate');
});

it('the caret of tool_args in a value stands under it', () => {
  const source =
    'agent a { model = "m" response_format = { type: "object", properties: { a: tool_args.x } } }';
  const { diagnostics } = new AgentDslCompiler().check(source);
  expect(diagnostics).toMatchObject([
    {
      code: 'tool-args-outside-input',
      span: { start: source.indexOf('tool_args'), end: source.indexOf('.x') },
    },
  ]);
});

it('a response format that would take seconds is refused', () => {
  const fields = Array.from({ length: 10_000 }, (_, n) => `p${n}: { type: "string" }`).join(', ');
  const source = `agent a { model = "m" response_format = { type: "object", properties: { ${fields} } } }`;
  expect(codesOf(source)).toEqual(['schema-too-large']);
});
