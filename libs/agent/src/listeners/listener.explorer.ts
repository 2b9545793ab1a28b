import { DecoratedClassException } from '../decorated-class.exception.js';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type AgentExecutionListener } from '@nestor/core';
import { classOf, isSingleton, type ProviderWrapper } from '../operators/provider-class.js';
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

  /** Puts a listener that is no provider before all others. */
  addFirst(listener: Listener): void {
    this.listeners.unshift(listener);
  }

  /**
   * Adds what is new since the last time; each instance once.
   * @throws DecoratedClassException for a listener of which there is no single instance.
   */
  explore(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const listener = listenerOf(wrapper);
      if (!listener || this.#instances.has(wrapper.instance)) continue;
      this.#instances.add(wrapper.instance);
      this.listeners.push(listener);
    }
  }
}

function listenerOf(wrapper: ProviderWrapper): Listener | undefined {
  const instance: unknown = wrapper.instance;
  const type = classOf(wrapper, isAgentListener);
  if (type && !isSingleton(wrapper)) {
    throw new DecoratedClassException(
      '@AgentListener()',
      type.name,
      'an @AgentListener() hears every run, so there must be one of it; this one is transient or request-scoped, or ' +
        'depends on something that is. Resolve what belongs to a request with ModuleRef where it is needed.',
    );
  }
  if (typeof instance !== 'object' || instance === null) return undefined;
  return type ? instance : emitterListener(wrapper.token, instance);
}

/** By its shape: @nestjs/event-emitter is not required, and EventEmitter2 does not even carry that name. */
function emitterListener(token: unknown, instance: object): Listener | undefined {
  if (typeof token !== 'function' || typeof token.prototype !== 'object') return undefined;
  // Own methods: a class of the application that extends it is an emitter for other things.
  const isEmitter = ['emitAsync', 'onAny'].every((name) =>
    Object.hasOwn(Object(token.prototype) as object, name),
  );
  return isEmitter && 'emitAsync' in instance
    ? new AgentEventsListener(instance as AgentEventEmitter)
    : undefined;
}
