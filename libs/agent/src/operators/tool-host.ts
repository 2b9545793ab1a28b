import {
  ContextIdFactory,
  ModuleRef,
  type DiscoveryService,
  type ExternalContextCreator,
} from '@nestjs/core';
import { AgentDefinitionException, type OperatorContext } from '@nestor/core';
import { carryMetadata, enhancedCall, guardsPass, type ToolCall, type ToolHost } from './enhanced-call.js';
import type { OperatorClass } from './operator.decorator.js';

export type ProviderWrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Handler = (...args: unknown[]) => unknown;

/** Where Nest keeps enhancers on classes and methods. */
const ENHANCER_KEYS = ['__guards__', '__interceptors__', '__pipes__', '__exceptionFilters__'];

/** The call of a provider's method: made once for a singleton, for each call where the provider or an enhancer is scoped. */
export function toolCall(
  creator: ExternalContextCreator,
  wrapper: ProviderWrapper,
  type: OperatorClass,
  method: string,
): ToolCall {
  if (wrapper.isDependencyTreeStatic() && !wrapper.isTransient) {
    return enhancedCall(creator, hostOf(wrapper.instance as object, type, method));
  }
  return async (args, context) => {
    const contextId = contextIdOf(wrapper, context);
    const instance = await moduleRefOf(wrapper).resolve<object>(wrapper.token, contextId, { strict: true });
    const host = { ...hostOf(instance, type, method), contextId, inquirerId: wrapper.id };
    return enhancedCall(creator, host)(args, context);
  };
}

/** Whether the guards of a tool would let a run's caller through. */
export function guardCheck(
  creator: ExternalContextCreator,
  wrapper: ProviderWrapper,
  type: OperatorClass,
  method: string,
): (context: OperatorContext) => Promise<boolean> {
  return async (context) => {
    const scoped = !wrapper.isDependencyTreeStatic() || wrapper.isTransient;
    const contextId = scoped ? contextIdOf(wrapper, context) : undefined;
    const instance = contextId
      ? await moduleRefOf(wrapper).resolve<object>(wrapper.token, contextId, { strict: true })
      : (wrapper.instance as object);
    const inquirerId = contextId && wrapper.id;
    return guardsPass(creator, { ...hostOf(instance, type, method), contextId, inquirerId }, context);
  };
}

/**
 * Nest finds enhancer classes only in modules that provide the class itself; those of factory and value providers it
 * skips without a word. (A mock in a test stands in a place that was provided as a class.)
 * @throws AgentDefinitionException naming the first one that would be skipped.
 */
export function refuseSkippedEnhancers(wrapper: ProviderWrapper, type: OperatorClass, method: string): void {
  const known = wrapper.host?.injectables;
  const skipped = enhancersOf(type, method).find(
    (enhancer) => typeof enhancer === 'function' && !known?.has(enhancer),
  );
  if (typeof skipped !== 'function') return;
  throw new AgentDefinitionException(`${type.name}.${method}`, [
    `it asks for ${skipped.name}, but ${type.name} is provided by useFactory or useValue, and Nest runs no guards, ` +
      `interceptors, pipes or filters of such providers. Provide the class itself.`,
  ]);
}

function enhancersOf(type: OperatorClass, method: string): readonly unknown[] {
  const handler: unknown = Reflect.get(type.prototype as object, method);
  const places = typeof handler === 'function' ? [type, handler] : [type];
  return ENHANCER_KEYS.flatMap((key) =>
    places.flatMap((place): unknown[] => Reflect.getMetadata(key, place) ?? []),
  );
}

function hostOf(instance: object, type: OperatorClass, method: string): ToolHost {
  const call: Handler = (...args) => (Reflect.get(instance, method) as Handler).apply(instance, args);
  const declared = Reflect.get(type.prototype as object, method) as Handler;
  if (instance instanceof type) {
    return { instance, method, callback: Reflect.get(instance, method) as Handler };
  }
  // A mock that stands for the class: enhancers and parameters are looked up on a host that is one.
  const host = Object.create(type.prototype as object) as object;
  return { instance: host, method, callback: carryMetadata(declared, call) };
}

/** The context the caller's HTTP request has already, else one of its own for this call. */
function contextIdOf(
  wrapper: ProviderWrapper,
  context: OperatorContext,
): ReturnType<typeof ContextIdFactory.create> {
  const { caller } = context;
  const request = typeof caller === 'object' && caller !== null ? caller : {};
  const contextId = ContextIdFactory.getByRequest(request);
  moduleRefOf(wrapper).registerRequestByContextId(request, contextId);
  return contextId;
}

function moduleRefOf({ host, name }: ProviderWrapper): ModuleRef {
  const moduleRef: unknown = host?.providers.get(ModuleRef)?.instance;
  if (moduleRef instanceof ModuleRef) return moduleRef;
  throw new AgentDefinitionException(String(name), ['its module could not be found.']);
}
