import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import { didYouMean } from '../errors/did-you-mean.js';
import type { ToolDefinition } from '../llm/tool-definition.js';
import type { InputSchema } from '../operators/input-schema.js';
import type { OperatorMetadata } from '../operators/operator-metadata.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import { toInputSchema } from '../operators/to-input-schema.js';
import type { AgentDef } from './agent-def.js';
import type { AgentToolRef } from './agent-tool-ref.js';
import { toolRef } from './tool-ref.js';

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
}

/** @throws AgentDefinitionException if a tool's operator is not registered, with the nearest name. */
export function linkAgent(def: AgentDef, registry: OperatorRegistry): LinkedAgent {
  const tools = new Map<string, LinkedTool>();
  const problems: string[] = [];
  for (const ref of [...def.tools, ...otherTools(def, registry)]) {
    const missing = [ref.operatorRef, ...ref.graph.nodes.map((node) => node.operatorRef)].find(
      (name) => !registry.has(name),
    );
    if (missing === undefined) tools.set(ref.name, linkTool(def, ref, registry));
    else problems.push(unknownOperator(ref, missing, registry));
  }
  if (problems.length > 0) throw new AgentDefinitionException(def.id, problems);
  const definitions = tools.size > 0 ? Object.freeze([...tools.values()].map(definitionOf)) : undefined;
  return Object.freeze({ def, registry, tools, definitions });
}

function otherTools(def: AgentDef, registry: OperatorRegistry): AgentToolRef[] {
  if (!def.allTools) return [];
  const taken = new Set(def.tools.map(({ name }) => name));
  return registry
    .names()
    .filter((name) => !taken.has(name) && registry.metadata(name).kind === 'tool')
    .map((name) => toolRef(name));
}

function linkTool(def: AgentDef, ref: AgentToolRef, registry: OperatorRegistry): LinkedTool {
  const metadata = registry.metadata(ref.operatorRef);
  const own = ref.inheritsSchema
    ? metadata.input
    : toInputSchema(ref.toolDefinition.parameters, `tool "${ref.name}" of agent "${def.id}"`);
  return Object.freeze({
    ref,
    metadata,
    argumentsSchema: own,
    inputSchema: ref.inheritsSchema ? null : metadata.input,
    timeout: metadata.timeout ?? def.toolTimeout,
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

function unknownOperator(ref: AgentToolRef, missing: string, registry: OperatorRegistry): string {
  const known = registry.names().filter((name) => registry.metadata(name).kind !== 'model');
  return (
    `tool "${ref.name}" names the unknown operator "${missing}". ` +
    `Known operators: ${known.join(', ') || 'none'}.${didYouMean(missing, known)}`
  );
}
