import { describe, expect, it } from 'vitest';
import { examples } from '../../../../test/support/agent-sources.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import type { AgentDef } from './agent-def.js';
import { AgentDslCompiler } from './agent-dsl.compiler.js';
import { InputMapping } from '../graph/input-mapping.js';

const registry = OperatorRegistry.builder()
  .register('KBSearchOperator', { execute: () => [] })
  .register('EscalateOperator', { execute: () => null })
  .build();

/** The expressions of a tool's input. */
function inputOf(def: AgentDef | undefined, tool = 0): Record<string, string> {
  const input = def?.tools[tool]?.graph.nodes[0]?.input;
  if (!(input instanceof InputMapping)) return {};
  return Object.fromEntries(Object.entries(input.assignments).map(([field, { source }]) => [field, source]));
}

const FIELDS: Readonly<Record<string, object>> = {
  'byte-order-mark': { id: 'mark' },
  'comment-at-the-end': { id: 'last' },
  comments: { maxTurns: 4, tools: [{ description: 'Search' }] },
  conditional: {
    exitCondition: { source: 'turn > 5 ? true : turn > 3 ? finish_reason == "stop" : false' },
  },
  crlf: { systemPrompt: 'one\ntwo', tools: [{ description: 'Searches.' }] },
  'default-model': { model: 'default' },
  'doc-comments': {
    tools: [
      { description: 'Searches the help articles.\n\n- by words' },
      { description: 'Hands over to a person.' },
    ],
  },
  escapes: {
    systemPrompt:
      'Line one\nline two\ta tab, "quotes", a \\ backslash, $ and ${no.expression}, \u00e9, \u{1F600}.',
  },
  'every-property': {
    systemPrompt: 'Answer in JSON.',
    maxTurns: 12,
    maxToolConcurrency: 4,
    temperature: 0,
    memoryStrategy: { kind: 'token_budget', maxTokens: 16_000 },
    streaming: false,
    streamingBufferCapacity: 16,
    toolTimeout: 90_000,
    maxTokens: 1024,
    maxTotalTokens: 100_000,
    deadline: 900_000,
    onMaxTurns: 'finalize',
    repeatedCallLimit: 5,
    toolResultLimit: 40_000,
    responseFormat: { name: 'answer', jsonSchema: { required: ['answer'] } },
  },
  interpolation: {
    systemPrompt: {
      source: '"You help ${ctx.user.name ?? "a guest"} in ${ctx.user.language}. Costs are in $."',
    },
  },
  'memory-full': { memoryStrategy: { kind: 'full' } },
  'memory-sliding-window': { memoryStrategy: { kind: 'sliding_window', size: 20 } },
  'memory-summary': { memoryStrategy: { kind: 'summary', keep: 6 } },
  'memory-token-budget': { memoryStrategy: { kind: 'token_budget', maxTokens: 8000 } },
  'names-with-hyphens': {
    id: 'order-desk',
    tools: [{ name: 'search-kb-2' }, { name: 'hand_over', operatorRef: 'EscalateOperator' }],
  },
  'newlines-mean-nothing': {
    exitCondition: { source: 'turn >= 3 || tool_calls[0].name == "search"' },
    tools: [{ name: 'search' }],
  },
  'no-final-newline': { id: 'last' },
  'numbers-and-durations': { temperature: 0.5, toolTimeout: 25_000, deadline: 5_400_000 },
  'on-max-turns': { maxTurns: 2, onMaxTurns: 'throw', repeatedCallLimit: 0 },
  'one-line-bodies': { tools: [{ name: 'search' }] },
  'optional-commas': { maxTurns: 3, tools: [{ description: 'Search' }] },
  'raw-strings': {
    systemPrompt:
      'You are a careful assistant.\n  - "Quotes" and \\ backslashes need no escape.\n  - ${this} is no expression.\n\nAnswer shortly.',
    tools: [{ description: 'Search with "quotes" in it, also at the end: "here"' }],
  },
  'response-format': {
    responseFormat: {
      jsonSchema: {
        type: 'object',
        properties: {
          answer: { type: 'string' },
          sources: { type: 'array', items: { type: 'string' } },
        },
        required: ['answer', 'sources'],
        additionalProperties: false,
      },
    },
  },
  smallest: { model: 'gpt-4o', tools: [] },
  'stream-agent': { streaming: true, streamingBufferCapacity: 32 },
  'streaming-property': { streaming: true, streamingBufferCapacity: 1 },
  'tool-call': {
    exitCondition: { source: 'tool_call("escalate") || turn >= 2 && !tool_call("search")' },
  },
  'tool-without-input': {
    tools: [
      { name: 'search', description: 'Search', inheritsSchema: true },
      { name: 'escalate', description: '' },
    ],
  },
  unicode: { systemPrompt: { source: '"你好，${ctx.user.имя}! Grüße 👋🏽"' } },
  'worked-example': {
    maxTurns: 15,
    temperature: 0.7,
    memoryStrategy: { kind: 'sliding_window', size: 20 },
    exitCondition: { source: 'finish_reason == "stop" || tool_call("escalateToHuman")' },
    tools: [{ name: 'searchKnowledgeBase' }, { name: 'escalateToHuman' }],
  },
};

const INPUTS: Readonly<Record<string, Record<string, string>>> = {
  defaults: { query: 'tool_args.query', limit: 'tool_args.limit ?? ctx.user.limit ?? 10' },
  'doc-comments-in-input': { query: 'tool_args.query', limit: '5' },
  'newlines-mean-nothing': { query: 'tool_args.query' },
  'optional-access': {
    query: 'tool_args.query',
    city: 'ctx.user?.address?.city',
    first: 'ctx.user?.tags?[0]',
    deep: 'ctx.a.b.c["d"][0].e',
  },
  'names-with-hyphens': { query: 'tool_args.query', difference: 'tool_args.a - tool_args.b' },
  'string-keys': {
    'x-request-id': 'ctx.request.id',
    headers: '{ "content-type": "text/plain", accept: "*/*" }',
    query: 'tool_args["search-text"]',
  },
  unicode: { größe: 'tool_args.größe', 名前: 'tool_args.名前' },
};

describe('the examples', () => {
  it.each([...examples])('compile without a warning: %s', (_, source) => {
    const { definitions = [], diagnostics } = new AgentDslCompiler(registry).check(source);
    expect(diagnostics).toEqual([]);
    expect(definitions.length).toBeGreaterThan(0);
  });

  it.each(Object.entries(FIELDS))('say what they mean: %s', (name, fields) => {
    const [def] = new AgentDslCompiler(registry).compileAll(examples.get(`${name}.agent`) ?? '');
    expect(def).toMatchObject(fields);
  });

  it.each(Object.entries(INPUTS))('map the input: %s', (name, input) => {
    const [def] = new AgentDslCompiler(registry).compileAll(examples.get(`${name}.agent`) ?? '');
    expect(inputOf(def)).toEqual(input);
  });

  it('may be several in a file', () => {
    const defs = new AgentDslCompiler().compileAll(examples.get('several-agents.agent') ?? '');
    expect(defs.map(({ id, streaming }) => [id, streaming])).toEqual([
      ['first', false],
      ['second', false],
      ['third', true],
    ]);
  });
});
