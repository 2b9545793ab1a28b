import type { AgentDef } from '@nestor/core';

/** An agent as the outside sees it: no prompt, no functions. */
export interface AgentDescription {
  readonly id: string;
  readonly model: string;
  readonly maxTurns: number;
  readonly streaming: boolean;
  readonly memory: string;
  readonly tools: readonly { readonly name: string; readonly operator: string }[] | 'all';
}

export function describeAgent({
  id,
  model,
  maxTurns,
  streaming,
  memoryStrategy,
  tools,
  allTools,
}: AgentDef): AgentDescription {
  return {
    id,
    model,
    maxTurns,
    streaming,
    memory: memoryStrategy.kind,
    tools: allTools ? 'all' : tools.map(({ name, operatorRef }) => ({ name, operator: operatorRef })),
  };
}
