import {
  AgentException,
  didYouMean,
  type AgentDef,
  type AgentLoopOperator,
  type StreamingAgentLoopOperator,
} from '@nestor/core';

export interface RegisteredAgent {
  readonly def: AgentDef;
  readonly loop: AgentLoopOperator;
  readonly streamingLoop: StreamingAgentLoopOperator;
}

/** Thrown for a name that no agent has. */
export class UnknownAgentException extends AgentException {
  readonly agentName: string;

  constructor(agentName: string, known: readonly string[]) {
    super(
      `There is no agent "${agentName.slice(0, 100)}". Known agents: ${known.join(', ') || 'none'}.${didYouMean(agentName, known)}`,
      { code: 'unknown_agent' },
    );
    this.agentName = agentName;
  }
}

/** Thrown for a name that another agent has. */
export class DuplicateAgentException extends AgentException {
  /** @param files those that define it, as far as they do */
  constructor(agentName: string, files: readonly string[] = []) {
    const places = files.length === 1 ? [...files, 'elsewhere'] : files;
    super(
      `Agent "${agentName}" is defined twice${places.length > 0 ? `, in ${places.join(' and ')}` : ''}. Give one of the two another id.`,
      { code: 'duplicate_agent' },
    );
  }
}

/** The application's agents by name. Filled when the application has started. */
export class AgentRegistry {
  readonly #agents = new Map<string, RegisteredAgent>();
  #started = false;

  /** From now on an agent that is not here does not exist; before, it only is not here yet. */
  markStarted(): void {
    this.#started = true;
  }

  /** @throws AgentException `duplicate_agent` if the name is taken. */
  register(agent: RegisteredAgent): void {
    const { id } = agent.def;
    if (this.#agents.has(id)) throw new DuplicateAgentException(id);
    this.#agents.set(id, agent);
  }

  /** Puts an agent in the place of the one with its id: new runs get it, those under way keep theirs. */
  replace(agent: RegisteredAgent): void {
    this.#agents.set(agent.def.id, agent);
  }

  /** From now on the agent does not exist: there are no new runs of it, those under way keep theirs. */
  remove(name: string): void {
    this.#agents.delete(name);
  }

  /** @throws UnknownAgentException with the known names and the nearest one. */
  get(name: string): RegisteredAgent {
    const agent = this.#agents.get(name);
    if (agent) return agent;
    if (this.#started) throw new UnknownAgentException(name, this.names());
    throw new AgentException(
      `Agent "${name.slice(0, 100)}" cannot run yet: agents are ready when the application has started. ` +
        `Call app.init() or app.listen() first, in tests too.`,
      { code: 'not_started' },
    );
  }

  names(): string[] {
    return [...this.#agents.keys()];
  }

  has(name: string): boolean {
    return this.#agents.has(name);
  }

  definitions(): AgentDef[] {
    return [...this.#agents.values()].map(({ def }) => def);
  }
}
