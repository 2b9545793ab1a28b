import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { AgentExecutionListener } from '@nestor/core';
import { AgentEventsListener, type AgentEventEmitter } from './agent-events.listener.js';
import { isAgentListener } from './agent-listener.decorator.js';

type Listener = Partial<AgentExecutionListener>;

/** Finds the providers whose class has `@AgentListener()`, and the application's event emitter. */
@Injectable()
export class ListenerExplorer {
  /** What was found, in the order the providers are registered; the same list each time. */
  readonly listeners: Listener[] = [];
  readonly #instances = new Set<unknown>();

  constructor(@Inject(DiscoveryService) private readonly discovery: DiscoveryService) {}

  /** Adds what is new since the last time; each instance once. */
  explore(): void {
    for (const { metatype, token, instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null || this.#instances.has(instance)) continue;
      const listener = listenerOf(metatype ?? undefined, token, instance as object);
      if (!listener) continue;
      this.#instances.add(instance);
      this.listeners.push(listener);
    }
  }
}

function listenerOf(metatype: unknown, token: unknown, instance: object): Listener | undefined {
  if (typeof metatype === 'function' && isAgentListener(metatype)) return instance;
  // By name: @nestjs/event-emitter is not required, and its class is only here if the application brings it.
  const isEmitter = typeof token === 'function' && token.name === 'EventEmitter2' && 'emit' in instance;
  return isEmitter ? new AgentEventsListener(instance as AgentEventEmitter) : undefined;
}
