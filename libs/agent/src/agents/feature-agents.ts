import { AgentBuilder, type AgentDef } from '@nestor/core';

/** Agents that one import of the module brings; found again at bootstrap among the providers. */
export class FeatureAgents {
  readonly definitions: readonly AgentDef[];

  /** @throws AgentDefinitionException if a builder cannot be built. */
  constructor(agents: readonly (AgentDef | AgentBuilder)[]) {
    this.definitions = agents.map((agent) => (agent instanceof AgentBuilder ? agent.build() : agent));
  }
}
