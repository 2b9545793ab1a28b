import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { scriptedAgent } from '../../../../test/support/scripted-agent.js';
import { AgentDslCompiler } from '../definition/agent-dsl.compiler.js';
import { AgentException } from '../errors/agent.exception.js';
import type { AgentOutput } from '../definition/agent-output.js';
import type { ScriptedStep } from '../llm/scripted.provider.js';
import { EXIT_CONDITION } from '../language/expression-place.js';
import { Expression } from '../language/expression.js';
import { toInputSchema } from '../operators/to-input-schema.js';
import { OperatorContext } from '../operators/operator.context.js';
import { AgentLoopOperator } from './agent-loop.operator.js';
import { exitVariables } from './exit-variables.js';

const CALLS: ScriptedStep = {
  text: 'One moment.',
  toolCalls: [
    { id: 'c1', name: 'search', arguments: { query: 'refund', limit: 3 } },
    { id: 'c2', name: 'note', arguments: { n: 1 } },
    { id: 'c3', name: 'note', arguments: { n: 2 } },
    { id: 'c4', name: 'broken', arguments: '{"a":' },
  ],
};

/** Runs one turn with those calls, and a second one that answers if the condition does not hold. */
async function exitReason(condition: string): Promise<string> {
  const { agent } = scriptedAgent({
    script: [CALLS, { text: 'Done.' }],
    tools: {
      search: () => ({ items: [{ title: 'Refunds', score: 0.9 }] }),
      note: ({ n }: { n: number }) => n,
      broken: () => null,
    },
    define: (builder) => builder.systemPrompt('Help.').exitCondition(condition),
  });
  const { exitReason: reason } = await agent.execute('Hi', OperatorContext.root());
  return reason;
}

describe('an exit condition of the language', () => {
  it.each([
    'finish_reason == "tool_calls"',
    'content == "One moment."',
    'turn == 1',
    'tool_call("search") && !tool_call("missing")',
    'tool_calls.size() == 4 && tool_calls[0].id == "c1" && tool_calls[-1].name == "broken"',
    'tool_calls[0].arguments.query == "refund" && tool_calls[0].arguments.limit == 3',
    'tool_calls[-1].arguments == "{\\"a\\":"',
    'tool_results.search.items[0].score > 0.8',
    'tool_results.note == [1, 2] && tool_results["missing"] == null',
    'messages.map(m -> m.role).join(" ") == "system user assistant tool tool tool tool"',
    'messages[1].content == "Hi" && messages[-2].tool_call_id == "c3"',
    'messages[2].tool_calls[1].name == "note" && messages[2].tool_calls[1].arguments.n == 1',
  ])('sees %s', async (condition) => {
    expect(await exitReason(condition)).toBe('exit_condition');
    expect(await exitReason(`!(${condition})`)).toBe('stop');
  });

  it('sees nothing of JavaScript', async () => {
    expect(await exitReason('tool_results.toString ?? messages["map"] ?? content["at"]')).toBe('stop');
  });

  it('makes nothing that it does not read', () => {
    const read = (): never => {
      throw new Error('read');
    };
    const run = { turn: 4, memory: { messages: read } } as never;
    const holds = (condition: string): boolean =>
      Expression.compile(condition, EXIT_CONDITION, 'a condition').holds(exitVariables(run, []));
    expect(holds('turn > 3 || messages.size() > 3')).toBe(true);
    expect(() => holds('turn > 4 || messages.size() > 3')).toThrow('read');
  });

  it('ends the run with an error that names agent and condition if it takes too long', async () => {
    const { agent } = scriptedAgent({
      script: [{ toolCalls: [{ name: 'list', arguments: {} }] }],
      tools: { list: () => Array.from({ length: 1000 }, () => 1) },
      define: (builder) =>
        builder.exitCondition('tool_results.list.all(x -> tool_results.list.all(y -> x == y))'),
    });
    const error: unknown = await agent
      .execute('Hi', OperatorContext.root())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentException);
    expect(error).toMatchObject({
      code: 'expression_limit',
      message:
        'The exit condition of agent "agent" cannot be evaluated: tool_results.list.all(x -> tool_results.list.all(y -> x == y))\n' +
        'The expression took more than 100000 steps. Let it look at fewer or shorter values, or do the work in a tool.',
      checkpoint: { turnCount: 1 },
    });
  });
});

async function runOnce(
  source: string,
  script: readonly ScriptedStep[],
  ctx = {},
  tools = {},
): Promise<AgentOutput> {
  const { registry } = scriptedAgent({ script, tools });
  const def = new AgentDslCompiler(registry).compile(source);
  return new AgentLoopOperator('agent', def, registry).execute(
    'Hi',
    OperatorContext.root({ graphContext: ctx }),
  );
}

describe('a system prompt of the language', () => {
  it.each([
    ['"You help ${ctx.user.name ?? "a guest"}."', 'You help Ann.'],
    ['"Nothing: ${ctx.missing.field}."', 'Nothing: .'],
    ['ctx.user.name', 'Ann'],
    ['ctx.user.age', '41'],
    ['when ctx.user.name { "Ann" -> "Hi Ann" otherwise -> "Hi" }', 'Hi Ann'],
    ['"No ${"expression"} here"', 'No expression here'],
  ])('%s', async (prompt, content) => {
    const source = `agent a { model = "m" system_prompt = ${prompt} }`;
    const { messages } = await runOnce(source, [{ text: 'Hello.' }], { user: { name: 'Ann', age: 41 } });
    expect(messages[0]).toEqual({ role: 'system', content });
  });

  it('is no message if it gives nothing', async () => {
    const { messages } = await runOnce('agent a { model = "m" system_prompt = ctx.missing }', [
      { text: 'Hello.' },
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('names its agent if it takes too long', async () => {
    const source = 'agent a { model = "m" system_prompt = "${ctx.l.map(x -> ctx.l)}" }';
    const failing = runOnce(source, [{ text: 'Hello.' }], { l: Array.from({ length: 2000 }, () => 1) });
    await expect(failing).rejects.toMatchObject({ code: 'expression_limit' });
    await expect(failing).rejects.toThrow('The system prompt of agent "a" cannot be evaluated: ');
  });
});

describe('an input of the language', () => {
  const call = (args: object | string): ScriptedStep[] => [
    { toolCalls: [{ id: 'c', name: 't', arguments: args }] },
    { text: 'Done.' },
  ];

  it('is made for each call', async () => {
    const inputs: unknown[] = [];
    const source =
      'agent a { model = "m" tool t : op { input { q = tool_args.query, where = ctx.place, n = tool_args.n ?? 5 } } }';
    const tools = { op: (input: unknown) => inputs.push(input) };
    await runOnce(source, call({ query: 'x', n: 2 }), { place: 'here' }, tools);
    await runOnce(source, call({ query: 'y' }), {}, tools);
    expect(inputs).toEqual([
      { q: 'x', where: 'here', n: 2 },
      { q: 'y', where: null, n: 5 },
    ]);
  });

  it('is checked by the operator’s own schema, which may change it', async () => {
    const inputs: unknown[] = [];
    const input = toInputSchema(z.object({ q: z.string().trim(), where: z.string() }), 'op');
    const tools = { op: { metadata: { input }, execute: (given: unknown) => inputs.push(given) } };
    const source = 'agent a { model = "m" tool t : op { input { q = tool_args.q, where = ctx.place } } }';
    await runOnce(source, call({ q: ' x ' }), { place: 'here' }, tools);
    expect(inputs).toEqual([{ q: 'x', where: 'here' }]);
    const { messages } = await runOnce(source, call({ q: 'x' }), { place: 5 }, tools);
    expect(messages.at(-2)?.content).toContain('"code":"invalid_arguments","message":"where: ');
    expect(inputs).toHaveLength(1);
  });

  it.each([
    ['arguments that do not fit', '{"q":5}', 'invalid_arguments', 'q'],
    ['an input that takes too long', '{"q":"x"}', 'limit', 'The field "many" of the input of "t"'],
  ])('tells the model of %s', async (_, args, code, message) => {
    const source =
      'agent a { model = "m" tool t : op { input { q = tool_args.q, many = ctx.l.map(x -> ctx.l.map(y -> y)) } } }';
    const ctx = { l: Array.from({ length: 1000 }, () => 1) };
    const { messages, content } = await runOnce(source, call(args), ctx, { op: () => null });
    const told = JSON.parse(messages.at(-2)?.content ?? '') as { error: { code: string; message: string } };
    expect(told.error.code).toBe(code);
    expect(told.error.message).toContain(message);
    expect(content).toBe('Done.');
  });
});
