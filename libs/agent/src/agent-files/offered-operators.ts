import { AgentToolOperator, type OperatorCatalog, type OperatorRegistry } from '@nestor/core';

/** The operators of an application as they will be: with the agents that files bring, without those that are gone. */
export class OfferedOperators implements OperatorCatalog {
  readonly #registry: OperatorRegistry;
  readonly #agents: ReadonlySet<string>;
  readonly #registered: ReadonlySet<string>;

  /**
   * @param agents of files, as they will be
   * @param registered agents of files that are in the registry, or were once: an operator stays there
   */
  constructor(registry: OperatorRegistry, agents: ReadonlySet<string>, registered: ReadonlySet<string>) {
    this.#registry = registry;
    this.#agents = agents;
    this.#registered = registered;
  }

  has(name: string): boolean {
    return this.#agents.has(name) || (this.#registry.has(name) && !this.#isGone(name));
  }

  names(): readonly string[] {
    return [...new Set([...this.#registry.names(), ...this.#agents])].filter((name) => this.has(name));
  }

  metadata(name: string): ReturnType<OperatorCatalog['metadata']> {
    return this.#registry.has(name) ? this.#registry.metadata(name) : AS_AGENT;
  }

  /** A tool that has the name of an agent is none, and stays. */
  #isGone(name: string): boolean {
    return (
      this.#registered.has(name) && !this.#agents.has(name) && this.#registry.metadata(name).kind === 'agent'
    );
  }
}

/** What every agent says of itself as an operator. */
const AS_AGENT = {
  kind: 'agent',
  input:
    new AgentToolOperator(() => {
      throw new Error('This is no agent, and is not called.');
    }, '').metadata.input ?? null,
} as const;
