import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { AgentExecutionListener } from '@nestor/core';
import { isAgentListener } from './agent-listener.decorator.js';

/** Finds the providers whose class has `@AgentListener()`. */
@Injectable()
export class ListenerExplorer {
  readonly #discovery: DiscoveryService;

  constructor(@Inject(DiscoveryService) discovery: DiscoveryService) {
    this.#discovery = discovery;
  }

  /** In the order the providers are registered; each instance once. */
  explore(): Partial<AgentExecutionListener>[] {
    const found = new Set<Partial<AgentExecutionListener>>();
    for (const { metatype, instance } of this.#discovery.getProviders()) {
      if (typeof metatype !== 'function' || !isAgentListener(metatype)) continue;
      if (typeof instance === 'object' && instance !== null)
        found.add(instance as Partial<AgentExecutionListener>);
    }
    return [...found];
  }
}
