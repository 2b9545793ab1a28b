import { describe, expect, it } from 'vitest';
import { examples } from '../../../../test/support/agent-sources.js';
import { operators } from '../../../../test/support/dsl-problems.js';
import { AgentDslException } from '../errors/agent-dsl.exception.js';
import { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import { AgentBuilder } from './agent.builder.js';
import { AgentDslCompiler } from './agent-dsl.compiler.js';

const compiler = new AgentDslCompiler();

function thrownBy(run: () => unknown): AgentDslException {
  try {
    run();
  } catch (error) {
    if (error instanceof AgentDslException) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('compile', () => {
  it('gives what the builder gives', () => {
    const source = `
/// Ignored.
stream agent support {
  model = "gpt-4o"
  system_prompt = "You help \${ctx.user.name}."
  max_turns = 12, max_tool_concurrency = 4, temperature = 0
  memory = summary(6)
  streaming_buffer_capacity = 32
  tool_timeout = 90s
  max_tokens = 1024
  max_total_tokens = 100000
  deadline = 15m
  on_max_turns = "finalize"
  repeated_call_limit = 0
  tool_result_limit = 40000
  response_format = { type: "object", properties: { answer: { type: "string" } } }
  tools = "all"
  tool search : KBSearchOperator {
    description = "Search"
    input {
      query = tool_args.query   // the words
      locale = ctx.user.locale
    }
  }
  tool Escalate : Escalate { }
  exit_condition = finish_reason == "stop"
    || tool_call( "Escalate" )
}`;
    const twin = AgentBuilder.create('support')
      .model('gpt-4o')
      .systemPrompt(compiler.compile(source).systemPrompt)
      .maxTurns(12)
      .maxToolConcurrency(4)
      .temperature(0)
      .memory(AgentMemoryStrategy.summary(6))
      .streaming(true)
      .streamingBufferCapacity(32)
      .toolTimeout(90_000)
      .maxTokens(1024)
      .maxTotalTokens(100_000)
      .deadline(900_000)
      .onMaxTurns('finalize')
      .repeatedCallLimit(0)
      .toolResultLimit(40_000)
      .responseFormat({ type: 'object', properties: { answer: { type: 'string' } } })
      .tools('all')
      .tool('search', {
        operator: 'KBSearchOperator',
        description: 'Search',
        input: { query: 'tool_args.query', locale: 'ctx.user.locale' },
      })
      .tool('Escalate')
      .exitCondition('finish_reason == "stop" || tool_call("Escalate")')
      .build();
    const def = compiler.compile(source);
    expect(def).toEqual(twin);
    expect(def).toEqual(compiler.compile(source));
    expect(Object.isFrozen(def)).toBe(true);
  });

  it('tells definitions apart that differ in an expression only', () => {
    const agent = (condition: string, query: string): unknown =>
      compiler.compile(
        `agent a { model = "m" exit_condition = ${condition} tool t : Op { input { q = ${query} } } }`,
      );
    const def = agent('turn > 3', 'tool_args.q');
    expect(agent('turn  >  3', 'tool_args .q')).toEqual(def);
    expect(agent('turn > 4', 'tool_args.q')).not.toEqual(def);
    expect(agent('turn > 3', 'tool_args.p')).not.toEqual(def);
  });

  it.each([...examples])('gives a definition that the builder gives back: %s', (_, source) => {
    for (const def of compiler.compileAll(source)) expect(AgentBuilder.from(def).build()).toEqual(def);
  });

  it('takes one agent, and names compileAll for more', () => {
    const error = thrownBy(() =>
      compiler.compile('agent a { model = "m" }\nagent b { model = "m" }', { file: 'two.agent' }),
    );
    expect(error.message).toBe(
      `two.agent:2:7 error[several-agents] The source holds 2 agents, and compile() takes one.
  2 | agent b { model = "m" }
    |       ^
  hint: compileAll() gives them all`,
    );
    expect(thrownBy(() => compiler.compile('// nothing')).diagnostics).toMatchObject([{ code: 'no-agent' }]);
    expect(compiler.compileAll('')).toEqual([]);
  });

  it('says every mistake, for people and for programs', () => {
    const source = 'agent a {\n  model = "m"\n  max_turns = 0\n  memory = ful()\n}';
    const error = thrownBy(() => compiler.compileAll(source, { file: 'agents/a.agent' }));
    expect(error).toMatchObject({
      name: 'AgentDslException',
      code: 'invalid_agent_source',
      file: 'agents/a.agent',
    });
    expect(error.message).toBe(
      `agents/a.agent:3:15 error[out-of-range] "max_turns" must be a whole number >= 1, but it is 0.
  3 |   max_turns = 0
    |               ^

agents/a.agent:4:12 error[unknown-memory] "ful" is no memory strategy.
  4 |   memory = ful()
    |            ^^^
  hint: did you mean "full"?`,
    );
    expect(error.diagnosticsJson()).toEqual([
      {
        file: 'agents/a.agent',
        line: 3,
        column: 15,
        endLine: 3,
        endColumn: 16,
        code: 'out-of-range',
        severity: 'error',
        message: '"max_turns" must be a whole number >= 1, but it is 0.',
        hint: null,
        related: [],
      },
      expect.objectContaining({ code: 'unknown-memory', line: 4, hint: 'did you mean "full"?' }),
    ]);
  });

  it('hands warnings to who asks for them, and compiles', () => {
    const warnings: string[] = [];
    const source = 'agent a { model = "m" exit_condition = tool_call("escalate") }';
    const warned = new AgentDslCompiler(operators, {
      onWarning: (rendered, { code }) => warnings.push(`${code}: ${rendered.split('\n', 1)[0]}`),
    });
    expect(warned.compile(source, { file: 'a.agent' }).id).toBe('a');
    expect(warnings).toEqual([
      'unknown-tool: a.agent:1:50 warning[unknown-tool] The agent has no tool "escalate": this is never true.',
    ]);
    expect(compiler.compile(source).id).toBe('a');
  });

  it('refuses what is no text', () => {
    expect(() => compiler.compile(5 as never)).toThrow('The source is a number; give a string.');
  });
});

describe('check', () => {
  it('gives definitions, and warnings beside them', () => {
    const { definitions, diagnostics } = compiler.check('agent a { model = "m" exit_condition = true }');
    expect(definitions?.map(({ id }) => id)).toEqual(['a']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['constant-condition']);
  });

  it('gives no definitions where there are errors', () => {
    expect(compiler.check('agent a { }')).toEqual({
      diagnostics: [expect.objectContaining({ code: 'missing-model' })],
    });
  });
});

describe('the description of a tool', () => {
  it.each([
    ['is its own', '/// Doc.\ntool t : Op { description = "Own." }', 'Own.'],
    ['else its doc comment', '/// Doc.\n/// More.\ntool t : Op { }', 'Doc.\nMore.'],
    ['else the operator’s, when it is linked', 'tool t : Op { }', ''],
  ])('%s', (_, tool, description) => {
    const [ref] = compiler.compile(`agent a { model = "m"\n${tool} }`).tools;
    expect([ref?.description, ref?.toolDefinition.description]).toEqual([description, description]);
  });
});

describe('the builder', () => {
  const builder = (): AgentBuilder => AgentBuilder.create('a').model('m');

  it('says where an expression is wrong', () => {
    expect(thrownBy(() => builder().exitCondition('turn > 3 ||')).message).toBe(
      `exitCondition of agent "a":1:12 error[expected-value] Expected a value after "||", but found the end.
  1 | turn > 3 ||
    |            ^
  hint: write a value, or remove what needs one`,
    );
    expect(thrownBy(() => builder().tool('t', { input: { q: 'args.q' } })).message).toContain(
      'input.q of tool "t":1:1 error[unknown-variable] "args" is not known in input.',
    );
    expect(() => builder().tool('t', { input: { q: 5 } as never })).toThrow(
      'input.q of tool "t" must be an expression in quotes.',
    );
  });

  it('takes an expression with comments and line breaks', () => {
    const def = builder().exitCondition('turn > 3 // three (\n || content == "x"').build();
    expect(def.exitCondition).toHaveProperty('source', 'turn > 3 || content == "x"');
  });
});
