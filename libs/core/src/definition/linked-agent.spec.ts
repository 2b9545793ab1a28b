import { describe, expect, it } from 'vitest';
import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { OperatorMetadata } from '../operators/operator-metadata.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import type { StreamingOperator } from '../operators/operator.js';
import { toInputSchema } from '../operators/to-input-schema.js';
import { AgentBuilder } from './agent.builder.js';
import { linkAgent } from './linked-agent.js';
import { toolRef } from './tool-ref.js';

const QUERY = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
const NOTHING = { type: 'object', properties: {}, additionalProperties: false };

function registry(operators: Readonly<Record<string, Partial<OperatorMetadata>>>): OperatorRegistry {
  const made = new OperatorRegistry();
  for (const [name, metadata] of Object.entries(operators)) {
    made.register(name, { execute: () => name }, metadata);
  }
  return made;
}

const agent = (): AgentBuilder => AgentBuilder.create('support').model('m');
const streaming: StreamingOperator = { streaming: true, execute: () => {} };

describe('linkAgent', () => {
  it('binds tools in their order, under the names the model uses', () => {
    const operators = registry({ KbSearch: {}, escalate: {} });
    const def = agent().tool('escalate').tool('find', { operator: 'KbSearch' }).build();
    const linked = linkAgent(def, operators);
    expect([...linked.tools.keys()]).toEqual(['escalate', 'find']);
    expect(linked.tools.get('find')!.metadata).toBe(operators.metadata('KbSearch'));
    expect(linked.definitions?.map(({ name }) => name)).toEqual(['escalate', 'find']);
    expect(linked).toMatchObject({ def, registry: operators });
  });

  it('has no definitions where there are no tools', () => {
    expect(linkAgent(agent().build(), registry({ search: {} })).definitions).toBeUndefined();
  });

  it('tells the model what the operator says of itself', () => {
    const operators = registry({
      search: {
        description: 'Search the articles',
        input: toInputSchema(QUERY, 'test'),
        promptHint: 'Search first.',
        constraintsDescription: 'Ten results at most.',
        usageExample: '{"query":"invoice"}',
      },
    });
    expect(linkAgent(agent().tool('search').build(), operators).definitions).toEqual([
      {
        name: 'search',
        description: 'Search the articles\nSearch first.\nTen results at most.\n{"query":"invoice"}',
        parameters: QUERY,
      },
    ]);
  });

  it('lets the tool’s own description and parameters win, and checks arguments and input each by its schema', async () => {
    const operators = registry({ search: { description: 'Search', input: toInputSchema(QUERY, 'test') } });
    const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const def = agent().tool('search', { description: 'Find it', parameters }).build();
    const linked = linkAgent(def, operators);
    expect(linked.definitions).toEqual([{ name: 'search', description: 'Find it', parameters }]);
    const tool = linked.tools.get('search')!;
    expect(await tool.argumentsSchema!.validate({ text: 'x' })).toMatchObject({ ok: true });
    expect(await tool.argumentsSchema!.validate({ query: 'x' })).toMatchObject({ ok: false });
    expect(await tool.inputSchema!.validate({ query: 'x' })).toMatchObject({ ok: true });
  });

  it('checks inherited arguments once', () => {
    const input = toInputSchema(QUERY, 'test');
    const tool = linkAgent(agent().tool('search').build(), registry({ search: { input } })).tools.get(
      'search',
    )!;
    expect([tool.argumentsSchema, tool.inputSchema]).toEqual([input, null]);
  });

  it('B100: describes an operator without a schema as an object without properties', () => {
    const linked = linkAgent(agent().tool('ping').build(), registry({ ping: {} }));
    expect(linked.definitions).toEqual([{ name: 'ping', description: '', parameters: NOTHING }]);
    expect(linked.tools.get('ping')!.argumentsSchema).toBeNull();
  });

  it('takes an operator’s time limit before the agent’s', () => {
    const linked = linkAgent(
      agent().toolTimeout(7_000).tool('slow').tool('other').build(),
      registry({ slow: { timeout: 90_000 }, other: {} }),
    );
    expect([...linked.tools.values()].map(({ timeout }) => timeout)).toEqual([90_000, 7_000]);
  });

  it('is frozen, and so are its definitions', () => {
    const linked = linkAgent(agent().tool('ping').build(), registry({ ping: {} }));
    for (const part of [linked, linked.definitions, linked.definitions![0], linked.tools.get('ping')]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

describe('linkAgent with all tools', () => {
  it('offers every tool of the registry beside those added by name', () => {
    const operators = registry({
      search: {},
      pay: {},
      llmChat: { kind: 'model' },
      helper: { kind: 'agent' },
    });
    const def = agent().tools('all').tool('pay', { description: 'Pay now' }).build();
    expect(linkAgent(def, operators).definitions).toMatchObject([
      { name: 'pay', description: 'Pay now' },
      { name: 'search', description: '' },
    ]);
  });

  it('offers a helper or a model operator that is named', () => {
    const operators = registry({ search: {}, helper: { kind: 'agent' } });
    const linked = linkAgent(agent().tools('all').tool('helper').build(), operators);
    expect([...linked.tools.keys()]).toEqual(['helper', 'search']);
  });

  it('leaves out streaming operators, which give no single result', () => {
    const operators = registry({ search: {} }).register('ticker', streaming);
    expect([...linkAgent(agent().tools('all').build(), operators).tools.keys()]).toEqual(['search']);
  });
});

describe('linkAgent refuses', () => {
  it('an unknown operator, with the nearest known one', () => {
    const link = (): unknown =>
      linkAgent(
        agent().tool('find', { operator: 'serchKb' }).build(),
        registry({ searchKb: {}, escalate: {}, llmChat: { kind: 'model' } }),
      );
    expect(link).toThrow(AgentDefinitionException);
    expect(link).toThrow(
      'Agent "support": tool "find" names the unknown operator "serchKb". ' +
        'Known operators: searchKb, escalate. Did you mean "searchKb"?',
    );
  });

  it('every tool that does not fit, at once', () => {
    const def = agent().tool('a').tool('constructor').tool('ticker').build();
    expect(() => linkAgent(def, new OperatorRegistry().register('ticker', streaming))).toThrow(
      'Agent "support" has 3 problems:\n' +
        '- tool "a" names the unknown operator "a". Known operators: ticker.\n' +
        '- tool "constructor" names the unknown operator "constructor". Known operators: ticker.\n' +
        `- tool "ticker" names the streaming operator "ticker"; a tool's operator must give its result at once.`,
    );
  });

  it('an unknown operator inside a tool’s graph', () => {
    const ref = toolRef('find', { operator: 'search' });
    const nodes = [{ id: 'first', operatorRef: 'prepare' }, ...ref.graph.nodes];
    const def = agent()
      .tool({ ...ref, graph: { ...ref.graph, nodes } })
      .build();
    expect(() => linkAgent(def, registry({ search: {} }))).toThrow('names the unknown operator "prepare"');
  });

  it('parameters that are no schema, naming tool and agent', () => {
    const def = agent()
      .tool('find', { parameters: { type: 'no-such-type' } })
      .build();
    const link = (): unknown => linkAgent(def, registry({ find: {} }));
    expect(link).toThrow(InvalidSchemaException);
    expect(link).toThrow('tool "find" of agent "support"');
  });

  it('nothing where only the model is missing: the first turn says so', () => {
    expect(() => linkAgent(agent().tool('ping').build(), registry({ ping: {} }))).not.toThrow();
  });
});

describe('limits of an operator that no timer can hold', () => {
  it.each([
    [{ timeout: Number.POSITIVE_INFINITY }, /timeout Infinity; it must be from 1 to 2147483647/],
    [{ timeout: Number.NaN }, /timeout NaN/],
    [{ timeout: 0 }, /timeout 0/],
    [{ approvalTimeout: 0 }, /approvalTimeout 0; it must be from 1/],
    [{ approvalTimeout: Number.NaN }, /approvalTimeout NaN/],
    [{ onUnknownOutcome: 'ask' as never }, /onUnknownOutcome "ask"; it must be "model" or "suspend"/],
    [{ retry: { attempts: Number.NaN } }, /retry\.attempts NaN; it must be from 1 to 1000/],
    [{ retry: { attempts: 2, delayMs: -1 } }, /retry\.delayMs -1/],
  ])('%j is refused', (metadata, message) => {
    const pinging = new OperatorRegistry().register('ping', { execute: () => 1 }, metadata);
    const def = AgentBuilder.create('a').model('m').tool('ping').build();
    expect(() => linkAgent(def, pinging)).toThrow(message);
  });
});
