import type { GraphScope } from './graph-scope.js';
import type { InputMapping } from './input-mapping.js';

export interface GraphNode {
  readonly id: string;
  /** Name in the `OperatorRegistry`. */
  readonly operatorRef: string;
  /** Builds the operator's input. Default: the tool arguments as they are. */
  readonly input?: ((scope: GraphScope) => unknown) | InputMapping;
}

/** Nodes in the order they run; each sees the outputs of those before it. A tool is a graph of one node. */
export interface Graph {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
}
