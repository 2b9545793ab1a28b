import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { InputMapping } from '../graph/input-mapping.js';
import type { ResponseFormat } from '../llm/response-format.js';
import type { ToolDefinition } from '../llm/tool-definition.js';
import type { InputSchema } from '../operators/input-schema.js';
import type { OperatorMetadata } from '../operators/operator-metadata.js';
import type { OperatorContext } from '../operators/operator.context.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import { toInputSchema } from '../operators/to-input-schema.js';
import type { AgentDef } from './agent-def.js';
import type { AgentToolRef } from './agent-tool-ref.js';
import { MAX_TIMER_MS } from './max-timer.js';
import { toolParameters } from './tool-parameters.js';
import { toolRef } from './tool-ref.js';

/** A hundred years. */
const LONGEST_APPROVAL_MS = 3_155_760_000_000;
const ON_UNKNOWN_OUTCOME: ReadonlySet<unknown> = new Set([undefined, 'model', 'suspend']);

export interface LinkedTool {
  readonly ref: AgentToolRef;
  /** Of the operator behind the tool. */
  readonly metadata: OperatorMetadata;
  /** What the model's arguments must fit; null: anything. */
  readonly argumentsSchema: InputSchema | null;
  /** What the mapped input must fit; null where it is the arguments themselves. */
  readonly inputSchema: InputSchema | null;
  /** Limit of one call in ms. */
  readonly timeout: number;
}

/** A definition bound to a registry: everything a turn needs, made once. */
export interface LinkedAgent {
  readonly def: AgentDef;
  readonly registry: OperatorRegistry;
  /** By the name the model uses. */
  readonly tools: ReadonlyMap<string, LinkedTool>;
  /** What the model is told; always the same array. Undefined if there are no tools. */
  readonly definitions: readonly ToolDefinition[] | undefined;
  /** What the provider is told of the answer's form; always the same object. */
  readonly responseFormat: ResponseFormat | undefined;
}

/** @throws AgentDefinitionException if a tool's operator streams, or is not registered, with the nearest name. */
export function linkAgent(def: AgentDef, registry: OperatorRegistry): LinkedAgent {
  const tools = new Map<string, LinkedTool>();
  const problems: string[] = [];
  for (const ref of [...def.tools, ...otherTools(def, registry)]) {
    const problem = operatorProblem(def, ref, registry);
    if (problem === undefined) tools.set(ref.name, linkTool(def, ref, registry));
    else problems.push(problem);
  }
  if (problems.length > 0) throw new AgentDefinitionException(def.id, problems);
  const { responseFormat: format } = def;
  const responseFormat = format ? Object.freeze({ name: format.name, schema: format.jsonSchema }) : undefined;
  return Object.freeze({ def, registry, tools, definitions: definitionsOf(tools), responseFormat });
}

/** The agent as one run sees it: without the tools whose operators hide themselves from it. */
export async function visibleAgent(agent: LinkedAgent, context: OperatorContext): Promise<LinkedAgent> {
  const entries = [...agent.tools];
  if (!entries.some(([, { metadata }]) => metadata.visible)) return agent;
  const shown = await Promise.all(entries.map(([, { metadata }]) => metadata.visible?.(context) ?? true));
  const tools = new Map(entries.filter((_, index) => shown[index]));
  return Object.freeze({ ...agent, tools, definitions: definitionsOf(tools) });
}

function definitionsOf(tools: ReadonlyMap<string, LinkedTool>): readonly ToolDefinition[] | undefined {
  return tools.size > 0 ? Object.freeze([...tools.values()].map(definitionOf)) : undefined;
}

function otherTools(def: AgentDef, registry: OperatorRegistry): AgentToolRef[] {
  if (!def.allTools) return [];
  const taken = new Set(def.tools.map(({ name }) => name));
  return registry
    .names()
    .filter((name) => !taken.has(name) && registry.metadata(name).kind === 'tool' && !streams(name, registry))
    .map((name) => toolRef(name));
}

function linkTool(def: AgentDef, ref: AgentToolRef, registry: OperatorRegistry): LinkedTool {
  const metadata = registry.metadata(ref.operatorRef);
  const own = ownSchema(ref, metadata, `tool "${ref.name}" of agent "${def.id}"`);
  return Object.freeze({
    ref,
    metadata,
    argumentsSchema: own ?? metadata.input,
    inputSchema: own ? metadata.input : null,
    timeout: metadata.timeout ?? def.toolTimeout,
  });
}

/** What the arguments must fit where that is not the operator's schema. */
function ownSchema(ref: AgentToolRef, metadata: OperatorMetadata, where: string): InputSchema | undefined {
  if (!ref.inheritsSchema) return toInputSchema(ref.toolDefinition.parameters, where);
  const input = ref.graph.nodes.find(({ id }) => id === ref.resultNodeId)?.input;
  if (!(input instanceof InputMapping)) return undefined;
  // Lenient, as its parts are the operator's, which checks them once more.
  return toInputSchema(toolParameters(input.usage, metadata.input?.jsonSchema ?? null), where, {
    lenient: true,
  });
}

function definitionOf({ ref, metadata, argumentsSchema }: LinkedTool): ToolDefinition {
  const hints = [metadata.promptHint, metadata.constraintsDescription, metadata.usageExample];
  const description = [ref.description || metadata.description, ...hints].filter(Boolean).join('\n');
  return Object.freeze({
    ...ref.toolDefinition,
    description,
    parameters: argumentsSchema?.jsonSchema ?? ref.toolDefinition.parameters,
  });
}

function operatorProblem(def: AgentDef, ref: AgentToolRef, registry: OperatorRegistry): string | undefined {
  const names = [ref.operatorRef, ...ref.graph.nodes.map((node) => node.operatorRef)];
  const missing = names.find((name) => !registry.has(name));
  if (missing !== undefined) return unknownOperator(def, ref, missing, registry);
  const streaming = names.find((name) => streams(name, registry));
  if (streaming === undefined) return limitProblem(ref, registry.metadata(ref.operatorRef));
  return `tool "${ref.name}" names the streaming operator "${streaming}"; a tool's operator must give its result at once.`;
}

/** A timer that cannot hold its time fires at once; attempts that are no number never end. */
function limitProblem({ name }: AgentToolRef, metadata: OperatorMetadata): string | undefined {
  const { timeout, retry, approvalTimeout, onUnknownOutcome } = metadata;
  if (!ON_UNKNOWN_OUTCOME.has(onUnknownOutcome))
    return `the operator of tool "${name}" has onUnknownOutcome "${String(onUnknownOutcome)}"; it must be "model" or "suspend".`;
  const limits = [
    ['timeout', timeout, 1, MAX_TIMER_MS],
    ['approvalTimeout', approvalTimeout, 1, LONGEST_APPROVAL_MS],
    ['retry.attempts', retry?.attempts, 1, 1_000],
    ['retry.delayMs', retry?.delayMs, 0, MAX_TIMER_MS],
  ] as const;
  const broken = limits.find(
    ([, value, least, most]) => value !== undefined && !(value >= least && value <= most),
  );
  if (!broken) return undefined;
  const [field, value, least, most] = broken;
  return `the operator of tool "${name}" has ${field} ${value}; it must be from ${least} to ${most}.`;
}

function streams(name: string, registry: OperatorRegistry): boolean {
  return 'streaming' in registry.get(name);
}

function unknownOperator(
  def: AgentDef,
  ref: AgentToolRef,
  missing: string,
  registry: OperatorRegistry,
): string {
  const known = registry
    .names()
    .filter((name) => name !== def.id && registry.metadata(name).kind !== 'model');
  return (
    `tool "${ref.name}" names the unknown operator "${missing}". ` +
    `Known operators: ${known.join(', ') || 'none'}.${didYouMean(missing, known)}`
  );
}
