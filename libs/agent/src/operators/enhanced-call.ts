import { ExternalContextCreator, type ContextId } from '@nestjs/core';
import type { OperatorContext } from '@nestor/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { INERT_RESPONSE } from './inert-response.js';
import { toToolException } from './to-tool-exception.js';
import { ToolInvocation } from './tool-invocation.js';
import { PARAMETERS_KEY } from './tool-parameters.js';

/** The kind of context that `ExecutionContext.getType()` tells enhancers. */
export const AGENT_CONTEXT_TYPE = 'agent';

export type GuardCheck = (context: OperatorContext) => Promise<boolean>;
export type ToolCall = (args: unknown, context: OperatorContext) => Promise<unknown>;
type Handler = (...args: unknown[]) => unknown;

/** A method and the provider instance it is called on. */
export interface ToolHost {
  readonly instance: object;
  readonly method: string;
  readonly callback: Handler;
  /** Of the provider and its enhancers, if they are scoped. */
  readonly contextId?: ContextId | undefined;
  readonly inquirerId?: string | undefined;
}

const ARGUMENTS_FACTORY = {
  /** Type 3 is the body; a name in `data` is one of its fields. Nothing else of a request is the model's. */
  exchangeKeyForValue(type: number, data: unknown, [caller, , invocation]: unknown[]): unknown {
    if (type === 0) return caller;
    if (type !== 3 || !(invocation instanceof ToolInvocation)) return undefined;
    const { args } = invocation;
    if (typeof data !== 'string' || typeof args !== 'object' || args === null) return args;
    return Object.hasOwn(args, data) ? Reflect.get(args, data) : undefined;
  },
};

/**
 * A call of a tool's method with all of Nest round it: guards, interceptors, pipes and exception filters, the global
 * ones too. They see the run's caller as the request, an inert response, and the invocation as the third argument,
 * which alone holds what the model wrote.
 */
export function enhancedCall(creator: ExternalContextCreator, host: ToolHost): ToolCall {
  const { instance, method, callback, contextId, inquirerId } = host;
  const inner = creator.create(
    instance,
    callback,
    method,
    PARAMETERS_KEY as string,
    ARGUMENTS_FACTORY,
    contextId,
    inquirerId,
    { guards: true, interceptors: true, filters: false },
    AGENT_CONTEXT_TYPE,
  );
  // Filters stand round a layer of their own, so that what they saw is known: a filter written for HTTP answers a
  // response and gives nothing back, and that must not look like a tool that succeeded.
  const recording = carryMetadata(callback, async (...args: unknown[]) => {
    try {
      return await inner(...args);
    } catch (error) {
      const invocation = args[2];
      if (invocation instanceof ToolInvocation) invocation.thrown = { error };
      throw error;
    }
  });
  const outer = creator.create(
    instance,
    recording,
    method,
    undefined,
    undefined,
    contextId,
    inquirerId,
    { guards: false, interceptors: false, filters: true },
    AGENT_CONTEXT_TYPE,
  );
  return (args, context) => invoke(outer, new ToolInvocation(args, context));
}

/** The guards of a method, and nothing else. What a guard throws means no. */
export function guardsOnly(
  creator: ExternalContextCreator,
  { instance, method, callback, contextId, inquirerId }: ToolHost,
): GuardCheck {
  const check = creator.create(
    instance,
    carryMetadata(callback, () => true),
    method,
    undefined,
    undefined,
    contextId,
    inquirerId,
    { guards: true, interceptors: false, filters: false },
    AGENT_CONTEXT_TYPE,
  );
  return (context) =>
    check(context.caller ?? {}, INERT_RESPONSE, new ToolInvocation({}, context)).then(
      () => true,
      () => false,
    );
}

async function invoke(call: Handler, invocation: ToolInvocation): Promise<unknown> {
  try {
    const result = await settled(await call(invocation.context.caller ?? {}, INERT_RESPONSE, invocation));
    if (!invocation.thrown || result !== undefined) return result;
  } catch (error) {
    throw toToolException(error);
  }
  throw toToolException(invocation.thrown.error);
}

/** What a filter gave back: nothing if it answered the response; filters for microservices give an Observable. */
function settled(result: unknown): unknown {
  if (result === INERT_RESPONSE) return undefined;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** Gives a function the metadata of another, where Nest looks for enhancers. */
export function carryMetadata<F extends Handler>(from: Handler, to: F): F {
  for (const key of Reflect.getMetadataKeys(from))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, from), to);
  return to;
}
