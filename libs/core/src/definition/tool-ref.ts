import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import type { GraphScope } from '../graph/graph-scope.js';
import { InputMapping } from '../graph/input-mapping.js';
import type { JsonSchema } from '../operators/json-schema.js';
import type { AgentToolRef } from './agent-tool-ref.js';
import { toolOptionProblems } from './check-tool-options.js';
import { toolParameters } from './tool-parameters.js';

export interface ToolOptions {
  /** The operator that does the work. Default: the one named like the tool. */
  readonly operator?: string;
  /** What the model reads. Default: the operator's description. */
  readonly description?: string;
  /**
   * Builds the operator's input from the arguments and the run's `ctx`: a function, or expressions of the agent language
   * by field, as in `{ query: 'tool_args.query', locale: 'ctx.user.locale' }`. Default: the arguments as they are.
   */
  readonly input?: ((scope: GraphScope) => unknown) | InputMapping | Readonly<Record<string, string>>;
  /**
   * The JSON Schema the model is shown, where it differs from the operator's. Give it when a function as `input`
   * reshapes the arguments; expressions tell it by themselves.
   */
  readonly parameters?: JsonSchema;
}

/** What the model is told of a tool whose operator describes no arguments. */
const NO_PARAMETERS: JsonSchema = Object.freeze({
  type: 'object',
  properties: Object.freeze({}),
  additionalProperties: false,
});

/**
 * A tool reference: the operator as a subgraph of one node.
 * @param agent what errors call the agent.
 * @throws AgentDefinitionException naming each option, its value and the rule it breaks.
 * @throws AgentDslException for a mistake in an expression of `input`.
 */
export function toolRef(name: string, options: ToolOptions = {}, agent = '(no id)'): AgentToolRef {
  const problems = toolOptionProblems(name, options);
  if (problems.length > 0) throw new AgentDefinitionException(agent, problems);
  const { operator = name, description = '', parameters } = options;
  const input = inputOf(name, options);
  const inferred = input instanceof InputMapping ? toolParameters(input.usage, null) : NO_PARAMETERS;
  return Object.freeze({
    name,
    operatorRef: operator,
    description,
    graph: Object.freeze({
      name: `tool:${name}`,
      nodes: Object.freeze([Object.freeze({ id: name, operatorRef: operator, ...(input && { input }) })]),
    }),
    resultNodeId: name,
    toolDefinition: Object.freeze({ name, description, parameters: parameters ?? inferred }),
    inheritsSchema: parameters === undefined,
  });
}

function inputOf(
  tool: string,
  { input }: ToolOptions,
): ((scope: GraphScope) => unknown) | InputMapping | undefined {
  if (typeof input !== 'object') return input;
  return input instanceof InputMapping ? input : InputMapping.compile(tool, input);
}
