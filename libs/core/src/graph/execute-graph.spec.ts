import { describe, expect, it, vi } from 'vitest';
import { UnknownOperatorException } from '../errors/unknown-operator.exception.js';
import { OperatorContext } from '../operators/operator.context.js';
import { OperatorRegistry } from '../operators/operator.registry.js';
import type { Operator } from '../operators/operator.js';
import { executeGraph, type GraphExecution } from './execute-graph.js';
import type { GraphNode } from './graph.js';

const order: string[] = [];
const registry = new OperatorRegistry()
  .register('double', { execute: (input: number) => input * 2 })
  .register('echo', { execute: (input: unknown) => input })
  .register('later', {
    execute: async (input: string) => {
      order.push(`${input} begins`);
      await Promise.resolve();
      order.push(`${input} ends`);
      return input;
    },
  })
  .register('fails', {
    execute: () => {
      throw new Error('Out of paper.');
    },
  })
  .register('ticker', { streaming: true, execute: () => {} });

function execution(nodes: readonly GraphNode[], more: Partial<GraphExecution> = {}): GraphExecution {
  return {
    graph: { name: 'g', nodes },
    resultNodeId: nodes.at(-1)?.id ?? 'none',
    scope: { toolArgs: { query: 'x' }, ctx: { locale: 'de' } },
    registry,
    context: OperatorContext.root({ executionId: 'run', graphName: 'agent' }),
    ...more,
  };
}

describe('executeGraph', () => {
  it('gives a node the arguments as they are', async () => {
    const run = execution([{ id: 'a', operatorRef: 'echo' }]);
    expect(await executeGraph(run)).toBe(run.scope.toolArgs);
  });

  it('builds a node’s input from arguments, ctx and the nodes before it', async () => {
    const nodes: GraphNode[] = [
      { id: 'one', operatorRef: 'double', input: () => 4 },
      {
        id: 'all',
        operatorRef: 'echo',
        input: ({ toolArgs, ctx, nodes: before }) => ({ toolArgs, ctx, before: [...before] }),
      },
    ];
    expect(await executeGraph(execution(nodes))).toEqual({
      toolArgs: { query: 'x' },
      ctx: { locale: 'de' },
      before: [['one', 8]],
    });
  });

  it('runs nodes one after another', async () => {
    order.length = 0;
    const node = (id: string): GraphNode => ({ id, operatorRef: 'later', input: () => id });
    expect(await executeGraph(execution([node('a'), node('b')]))).toBe('b');
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('gives the result of the node asked for, also if it is nothing', async () => {
    const nodes: GraphNode[] = [
      { id: 'nothing', operatorRef: 'echo', input: () => undefined },
      { id: 'last', operatorRef: 'double', input: () => 1 },
    ];
    expect(await executeGraph(execution(nodes, { resultNodeId: 'nothing' }))).toBeUndefined();
  });

  it('checks the input of the result node only, and passes on what the check makes of it', async () => {
    const checkInput = vi.fn(async (input: unknown) => Number(input) + 100);
    const nodes: GraphNode[] = [
      { id: 'a', operatorRef: 'double', input: () => 1 },
      { id: 'b', operatorRef: 'double', input: ({ nodes: before }) => before.get('a') },
    ];
    expect(await executeGraph(execution(nodes, { checkInput }))).toBe(204);
    expect(checkInput.mock.calls).toEqual([[2]]);
  });

  it('does not call the operator if the check throws', async () => {
    const operator: Operator = { execute: vi.fn() };
    const run = execution([{ id: 'a', operatorRef: 'spy' }], {
      registry: new OperatorRegistry().register('spy', operator),
      checkInput: () => {
        throw new Error('Does not fit.');
      },
    });
    await expect(executeGraph(run)).rejects.toThrow('Does not fit.');
    expect(operator.execute).not.toHaveBeenCalled();
  });

  it('tells each operator where it runs; a context that is the node’s own is passed on', async () => {
    const seen: OperatorContext[] = [];
    const spy: Operator = { execute: (_, context) => void seen.push(context) };
    const controller = new AbortController();
    const context = OperatorContext.root({
      nodeId: 'main',
      operatorRef: 'spy',
      toolCallId: 'c1',
      signal: controller.signal,
    });
    const nodes: GraphNode[] = ['before', 'main'].map((id) => ({ id, operatorRef: 'spy' }));
    await executeGraph(execution(nodes, { context, registry: new OperatorRegistry().register('spy', spy) }));
    expect(seen[0]).toMatchObject({ nodeId: 'before', operatorRef: 'spy', toolCallId: 'c1' });
    expect(seen[0]!.signal).toBe(controller.signal);
    expect(seen[1]).toBe(context);
  });
});

describe('executeGraph rejects with', () => {
  it('what an operator throws, and runs no later node', async () => {
    order.length = 0;
    const nodes: GraphNode[] = [
      { id: 'a', operatorRef: 'fails' },
      { id: 'b', operatorRef: 'later', input: () => 'b' },
    ];
    await expect(executeGraph(execution(nodes))).rejects.toThrow('Out of paper.');
    expect(order).toEqual([]);
  });

  it('the signal’s reason if it aborts between two nodes', async () => {
    const controller = new AbortController();
    const reason = new Error('Enough.');
    const context = OperatorContext.root({ signal: controller.signal });
    const nodes: GraphNode[] = [
      { id: 'a', operatorRef: 'echo', input: () => controller.abort(reason) },
      { id: 'b', operatorRef: 'echo' },
    ];
    await expect(executeGraph(execution(nodes, { context }))).rejects.toBe(reason);
  });

  it('what building an input throws', async () => {
    const node: GraphNode = { id: 'a', operatorRef: 'echo', input: () => JSON.parse('{') };
    await expect(executeGraph(execution([node]))).rejects.toThrow(SyntaxError);
  });

  it('an unknown operator', async () => {
    const run = executeGraph(execution([{ id: 'a', operatorRef: 'ecko' }]));
    await expect(run).rejects.toThrow(UnknownOperatorException);
    await expect(run).rejects.toThrow('Did you mean "echo"?');
  });

  it.each([
    [
      'a streaming operator',
      [{ id: 'a', operatorRef: 'ticker' }],
      'a',
      'node "a" names a streaming operator',
    ],
    [
      'a result node that is not there',
      [{ id: 'a', operatorRef: 'echo' }],
      'b',
      'there is no node "b" to take the result from',
    ],
    ['no nodes', [], 'a', 'there is no node "a" to take the result from'],
  ])('an invalid graph: %s', async (_, nodes, resultNodeId, problem) => {
    await expect(executeGraph(execution(nodes, { resultNodeId }))).rejects.toMatchObject({
      name: 'AgentException',
      code: 'invalid_graph',
      message: `Graph "g": ${problem}.`,
    });
  });
});
