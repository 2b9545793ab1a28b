import { DecoratedClassException } from '../decorated-class.exception.js';
import { ContextIdFactory, ModuleRef, type ContextId, type ExternalContextCreator } from '@nestjs/core';
import { type OperatorContext } from '@nestor/core';
import {
  carryMetadata,
  enhancedCall,
  guardsOnly,
  type GuardCheck,
  type ToolCall,
  type ToolHost,
} from './enhanced-call.js';
import type { OperatorClass } from './operator.decorator.js';
import { isSingleton, type ProviderWrapper } from './provider-class.js';

type Handler = (...args: unknown[]) => unknown;

/** The call of a provider's method: made once for a singleton, for each call where the provider or an enhancer is scoped. */
export function toolCall(
  creator: ExternalContextCreator,
  wrapper: ProviderWrapper,
  type: OperatorClass,
  method: string,
): ToolCall {
  if (isSingleton(wrapper)) return enhancedCall(creator, hostOf(wrapper.instance as object, type, method));
  return async (args, context) =>
    enhancedCall(creator, await scopedHost(wrapper, type, method, context))(args, context);
}

/** Whether the guards of a tool would let a run's caller through. */
export function guardCheck(
  creator: ExternalContextCreator,
  wrapper: ProviderWrapper,
  type: OperatorClass,
  method: string,
): GuardCheck {
  if (isSingleton(wrapper)) return guardsOnly(creator, hostOf(wrapper.instance as object, type, method));
  return async (context) => guardsOnly(creator, await scopedHost(wrapper, type, method, context))(context);
}

async function scopedHost(
  wrapper: ProviderWrapper,
  type: OperatorClass,
  method: string,
  context: OperatorContext,
): Promise<ToolHost> {
  const contextId = contextIdOf(wrapper, context.caller ?? {});
  const instance = await (wrapper.metatype ? resolveIn(wrapper, contextId) : valueIn(wrapper, contextId));
  return { ...hostOf(instance, type, method), contextId, inquirerId: wrapper.id };
}

function resolveIn(wrapper: ProviderWrapper, contextId: ContextId): Promise<object> {
  return moduleRefOf(wrapper).resolve<object>(wrapper.token, contextId, { strict: true });
}

/** Nest cannot make a value again for a context, only the enhancers that are to stand round it. */
async function valueIn(wrapper: ProviderWrapper, contextId: ContextId): Promise<object> {
  const enhancers: readonly ProviderWrapper[] = wrapper.getEnhancersMetadata() ?? [];
  await Promise.all(enhancers.map((enhancer) => resolveIn(enhancer, contextId)));
  return wrapper.instance as object;
}

function hostOf(instance: object, type: OperatorClass, method: string): ToolHost {
  const declared = Reflect.get(type.prototype as object, method) as Handler;
  if (instance instanceof type) {
    return { instance, method, callback: Reflect.get(instance, method) as Handler };
  }
  const call: Handler = (...args) => methodOf(instance, type, method).apply(instance, args);
  // A mock that stands for the class: enhancers and parameters are looked up on a host that is one.
  const host = Object.create(type.prototype as object) as object;
  return { instance: host, method, callback: carryMetadata(declared, call) };
}

function methodOf(instance: object, type: OperatorClass, method: string): Handler {
  // A test may put anything in a provider's place, nothing too.
  const found: unknown = Reflect.get(Object(instance) as object, method);
  if (typeof found === 'function') return found as Handler;
  throw new TypeError(`What stands in for ${type.name} has no method "${method}".`);
}

/** The context the caller's HTTP request has already, else one of its own for this call. */
function contextIdOf(wrapper: ProviderWrapper, caller: object): ContextId {
  const contextId = ContextIdFactory.getByRequest(caller);
  // A context that is given again belongs to a request that Nest has registered itself.
  const isNew = ContextIdFactory.getByRequest(caller) !== contextId;
  if (isNew) moduleRefOf(wrapper).registerRequestByContextId(caller, contextId);
  return contextId;
}

function moduleRefOf({ host, name }: ProviderWrapper): ModuleRef {
  const moduleRef: unknown = host?.providers.get(ModuleRef)?.instance;
  if (moduleRef instanceof ModuleRef) return moduleRef;
  throw new DecoratedClassException('@Operator()', String(name), 'its module could not be found.');
}
