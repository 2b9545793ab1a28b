import { AgentBuilder, type AgentDef } from '@nestor/core';

export type AgentSource = AgentDef | AgentBuilder;

/** Agents that one import of the module brings; found again at bootstrap among the providers. */
export class FeatureAgents {
  /** True for `forFeature`: `tools: 'all'` then means the tools of the modules that import it, and of what they import. */
  readonly scoped: boolean;
  readonly #definitions: readonly AgentDef[];

  /** @throws AgentDefinitionException if a builder cannot be built. */
  constructor(agents: readonly AgentSource[], scoped: boolean) {
    this.#definitions = agents.map((agent) => (agent instanceof AgentBuilder ? agent.build() : agent));
    this.scoped = scoped;
  }

  /** Asks nothing of the value, which may be a proxy that throws at every question. */
  static is(value: unknown): value is FeatureAgents {
    return typeof value === 'object' && value !== null && #definitions in value;
  }

  get definitions(): readonly AgentDef[] {
    return this.#definitions;
  }
}
