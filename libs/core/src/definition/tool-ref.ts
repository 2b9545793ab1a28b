import type { GraphScope } from '../graph/graph.js';
import type { JsonSchema } from '../operators/json-schema.js';
import type { AgentToolRef } from './agent-tool-ref.js';

export interface ToolOptions {
  /** The operator that does the work. Default: the one named like the tool. */
  readonly operator?: string;
  /** What the model reads. Default: the operator's description. */
  readonly description?: string;
  /** Builds the operator's input from the arguments and the run's `ctx`. Default: the arguments as they are. */
  readonly input?: (scope: GraphScope) => unknown;
  /** The JSON Schema the model is shown, where it differs from the operator's. Give it when `input` reshapes the arguments. */
  readonly parameters?: JsonSchema;
}

/** What the model is told of a tool whose operator describes no arguments. */
const NO_PARAMETERS: JsonSchema = Object.freeze({
  type: 'object',
  properties: Object.freeze({}),
  additionalProperties: false,
});

/** A tool reference: the operator as a subgraph of one node. */
export function toolRef(name: string, options: ToolOptions = {}): AgentToolRef {
  const { operator = name, description = '', input, parameters } = options;
  return Object.freeze({
    name,
    operatorRef: operator,
    description,
    graph: Object.freeze({
      name: `tool:${name}`,
      nodes: Object.freeze([Object.freeze({ id: name, operatorRef: operator, ...(input && { input }) })]),
    }),
    resultNodeId: name,
    toolDefinition: Object.freeze({ name, description, parameters: parameters ?? NO_PARAMETERS }),
    inheritsSchema: parameters === undefined,
  });
}
