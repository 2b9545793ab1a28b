/** What the input of a node can be made from. */
export interface GraphScope {
  /** The validated arguments of the tool call. */
  readonly toolArgs: unknown;
  /** The application's context of the run. */
  readonly ctx: Readonly<Record<string, unknown>>;
  /** Outputs of the nodes before, by node id. */
  readonly nodes: ReadonlyMap<string, unknown>;
}

export interface GraphNode {
  readonly id: string;
  /** Name in the `OperatorRegistry`. */
  readonly operatorRef: string;
  /** Builds the operator's input. Default: the tool arguments as they are. */
  readonly input?: (scope: GraphScope) => unknown;
}

/** Nodes in the order they run; each sees the outputs of those before it. A tool is a graph of one node. */
export interface Graph {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
}
