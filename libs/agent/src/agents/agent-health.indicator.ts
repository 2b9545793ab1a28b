import { Inject, Injectable } from '@nestjs/common';
import type { LlmProvider } from '@nestor/core';
import { LLM_PROVIDER } from '../llm/llm-provider.factory.js';
import { ActiveRuns } from './active-runs.js';
import { AgentRegistry } from './agent.registry.js';

export interface AgentHealth {
  readonly status: 'up' | 'down';
  readonly provider: string;
  readonly agents: number;
  readonly activeRuns: number;
}

/** For `@nestjs/terminus`: `health.check([() => agentHealth.isHealthy('agents')])`. Asks no model; `down` while the application shuts down. */
@Injectable()
export class AgentHealthIndicator {
  constructor(
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(LLM_PROVIDER) private readonly provider: LlmProvider,
  ) {}

  /** In the shape terminus wants: one entry under the given key. */
  isHealthy<K extends string>(key: K): Record<K, AgentHealth> {
    const health: AgentHealth = {
      status: this.active.closing ? 'down' : 'up',
      provider: this.provider.description,
      agents: this.agents.names().length,
      activeRuns: this.active.size,
    };
    // A computed key widens to string; it is K.
    return { [key]: health } as Record<K, AgentHealth>;
  }
}
