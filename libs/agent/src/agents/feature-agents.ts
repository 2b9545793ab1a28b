import { AgentBuilder, type AgentDef } from '@nestor/core';
import { AgentFileSet } from '../agent-files/agent-file-set.js';

/** An agent in TypeScript, or the pattern of files that hold agents, such as `agents/*.agent`. */
export type AgentSource = AgentDef | AgentBuilder | string;

/** Agents that one import of the module brings; found again at bootstrap among the providers. */
export class FeatureAgents {
  /** True for `forFeature`: `tools: 'all'` then means the tools of the modules that import it, and of what they import. */
  readonly scoped: boolean;
  /** Those that are files, to be compiled when the operators are known. */
  readonly files: AgentFileSet;
  /** Of all of them. */
  readonly ids: readonly string[];
  readonly #definitions: readonly AgentDef[];

  /** @throws AgentDefinitionException if a builder cannot be built; AgentException `no_agent_files`, `invalid_agent_source` */
  constructor(agents: readonly AgentSource[], scoped: boolean) {
    this.files = new AgentFileSet(agents.filter((agent) => typeof agent === 'string'));
    this.#definitions = agents
      .filter((agent) => typeof agent !== 'string')
      .map((agent) => (agent instanceof AgentBuilder ? agent.build() : agent));
    this.scoped = scoped;
    this.ids = [...new Set([...this.#definitions.map(({ id }) => id), ...this.files.ids()])];
  }

  /** Asks nothing of the value, which may be a proxy that throws at every question. */
  static is(value: unknown): value is FeatureAgents {
    return typeof value === 'object' && value !== null && #definitions in value;
  }

  /** Those in TypeScript. */
  get definitions(): readonly AgentDef[] {
    return this.#definitions;
  }
}
