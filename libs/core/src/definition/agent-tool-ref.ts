import type { Graph } from '../graph/graph.js';
import type { ToolDefinition } from '../llm/tool-definition.js';

/** One tool of an agent: what the model is told, and the subgraph that does it. */
export interface AgentToolRef {
  /** The name the model uses; matches `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  /** The operator registered in the `OperatorRegistry`. */
  readonly operatorRef: string;
  /** The description the model reads; empty: the operator's own. */
  readonly description: string;
  readonly graph: Graph;
  /** The node whose output becomes the tool's result. */
  readonly resultNodeId: string;
  readonly toolDefinition: ToolDefinition;
  /**
   * True if no parameters were given: the model is shown what the operator's own input schema says, where it has one, in
   * place of `toolDefinition.parameters`.
   */
  readonly inheritsSchema: boolean;
}
