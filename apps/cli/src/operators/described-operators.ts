import { AgentToolOperator, OperatorRegistry, type InputSchema, type Operator } from '@nestor/core';
import type { KnownOperator } from './operator-metadata.js';

/**
 * Operators that can be asked what they are, and not called.
 * @param agents names of agents that are operators too; those that are described are left as they are
 */
export function describedOperators(
  operators: readonly KnownOperator[],
  agents: readonly string[] = [],
): OperatorRegistry {
  const registry = new OperatorRegistry();
  for (const {
    name,
    parameters,
    description,
    kind,
    promptHint,
    usageExample,
    constraintsDescription,
  } of operators) {
    const input: InputSchema | null = parameters && {
      jsonSchema: parameters,
      unchecked: true,
      validate: (value) => ({ ok: true, value }),
    };
    const metadata = { input, description, kind, promptHint, usageExample, constraintsDescription };
    registry.register(name, notHere(name), metadata);
  }
  for (const agent of agents) {
    if (registry.has(agent)) continue;
    registry.register(agent, new AgentToolOperator(() => refuse(agent), `The agent "${agent}".`));
  }
  return registry;
}

/** An operator of which only the name is known. */
export function namedOperators(names: Iterable<string>): OperatorRegistry {
  const registry = new OperatorRegistry();
  for (const name of new Set(names)) registry.register(name, notHere(name));
  return registry;
}

function notHere(name: string): Operator {
  return { execute: () => refuse(name) };
}

function refuse(name: string): never {
  throw new Error(`"${name}" is only described here; its application has it.`);
}
