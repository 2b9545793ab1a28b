import { AgentException } from '../errors/agent.exception.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import type { GraphScope } from './graph-scope.js';
import type { Graph, GraphNode } from './graph.js';
import { InputMapping } from './input-mapping.js';

export interface GraphExecution {
  readonly graph: Graph;
  /** The node whose output is wanted. */
  readonly resultNodeId: string;
  readonly scope: Omit<GraphScope, 'nodes'>;
  readonly registry: OperatorRegistry;
  readonly context: OperatorContext;
  /** Checks, and may transform, the input built for the result node. */
  readonly checkInput?: ((input: unknown) => unknown) | undefined;
}

/**
 * Runs a graph's nodes in their order and gives the output of one of them.
 * @throws AgentException `invalid_graph` if the result node does not exist; the signal's reason if it aborts between
 * two nodes; else whatever an operator throws.
 */
export async function executeGraph(execution: GraphExecution): Promise<unknown> {
  const { graph, resultNodeId } = execution;
  const outputs = new Map<string, unknown>();
  for (const node of graph.nodes) {
    if (outputs.size > 0) execution.context.signal.throwIfAborted();
    outputs.set(node.id, await executeNode(execution, node, outputs));
  }
  if (outputs.has(resultNodeId)) return outputs.get(resultNodeId);
  throw invalid(graph, `there is no node "${resultNodeId}" to take the result from`);
}

async function executeNode(
  { graph, resultNodeId, scope, registry, context, checkInput }: GraphExecution,
  node: GraphNode,
  nodes: ReadonlyMap<string, unknown>,
): Promise<unknown> {
  const operator = registry.get(node.operatorRef);
  if ('streaming' in operator) throw invalid(graph, `node "${node.id}" names a streaming operator`);
  const built = buildInput(node, { ...scope, nodes });
  const input = checkInput && node.id === resultNodeId ? await checkInput(built) : built;
  const isOwn = context.nodeId === node.id && context.operatorRef === node.operatorRef;
  return operator.execute(
    input,
    isOwn ? context : context.child({ nodeId: node.id, operatorRef: node.operatorRef }),
  );
}

function buildInput({ id, input }: GraphNode, scope: GraphScope): unknown {
  if (input instanceof InputMapping) return input.evaluate(scope, id);
  return input ? input(scope) : scope.toolArgs;
}

function invalid(graph: Graph, problem: string): AgentException {
  return new AgentException(`Graph "${graph.name}": ${problem}.`, { code: 'invalid_graph' });
}
