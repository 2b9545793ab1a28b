import { createParamDecorator } from '@nestjs/common';
import type { OperatorClass } from './operator.decorator.js';
import { ToolContext } from './tool-context.decorator.js';

/** How Nest marks a parameter as the body of a request: the model's arguments take that place, so that pipes treat them alike. */
const BODY = '3';

/** The metadata that is complete already: a class may be met again by a second application, or inherit it. */
const completed = new WeakSet<ParameterEntries>();

interface ParameterEntry {
  readonly index: number;
  readonly data?: unknown;
  readonly pipes: readonly unknown[];
}

type ParameterEntries = Readonly<Record<string, ParameterEntry>>;

/** The metadata key under which Nest keeps decorated parameters, learnt from a decorator of Nest's own making. */
export const PARAMETERS_KEY: unknown = learnParametersKey();

/**
 * Completes the parameter metadata of a tool's method, once per class: the first undecorated parameter gets the
 * arguments, the second the `OperatorContext`. A parameter with `@Body()` gets the arguments too.
 */
export function completeParameters(type: OperatorClass, method: string): void {
  const entries = parametersOf(type, method);
  if (completed.has(entries)) return;
  const taken = new Set(Object.values(entries).map(({ index }) => index));
  const free = [0, 1, 2, 3, 4, 5, 6, 7].filter((index) => !taken.has(index));
  const hasBody = Object.keys(entries).some(isBody);
  const [args, context] = hasBody ? [undefined, free[0]] : free;
  // Decorating the context's place makes it a custom parameter: pipes that validate bodies leave it alone.
  if (context !== undefined) ToolContext()(hostOf(type, method).prototype as object, method, context);
  const body = args === undefined ? {} : { [`${BODY}:${args}`]: { index: args, pipes: [] } };
  setParameters(type, method, { ...parametersOf(type, method), ...body });
}

/** The declared type of the parameter that gets the arguments; undefined if the method has none. */
export function argumentsTypeOf(type: OperatorClass, method: string): unknown {
  const entry = Object.entries(parametersOf(type, method)).find(([key]) => isBody(key))?.[1];
  const types: readonly unknown[] =
    Reflect.getMetadata('design:paramtypes', type.prototype as object, method) ?? [];
  return entry && types[entry.index];
}

/** Adds a pipe that sees the arguments after all others. */
export function addArgumentsPipe(type: OperatorClass, method: string, pipe: object): void {
  const entries = parametersOf(type, method);
  const changed = Object.entries(entries).map(([key, entry]) => {
    const isNew = isBody(key) && !entry.pipes.includes(pipe);
    return [key, isNew ? { ...entry, pipes: [...entry.pipes, pipe] } : entry] as const;
  });
  setParameters(type, method, Object.fromEntries(changed));
}

/** The pipes that stand on single parameters: classes and instances. */
export function parameterPipes(type: OperatorClass, method: string): readonly unknown[] {
  return Object.values(parametersOf(type, method)).flatMap(({ pipes }) => pipes);
}

function isBody(key: string): boolean {
  return key.startsWith(`${BODY}:`);
}

function parametersOf(type: OperatorClass, method: string): ParameterEntries {
  return (
    (Reflect.getMetadata(PARAMETERS_KEY, hostOf(type, method), method) as ParameterEntries | undefined) ?? {}
  );
}

function setParameters(type: OperatorClass, method: string, entries: ParameterEntries): void {
  completed.add(entries);
  Reflect.defineMetadata(PARAMETERS_KEY, entries, hostOf(type, method), method);
}

/** Where Nest looks for the parameters: a class decorator that gives a Proxy leaves them on the class within. */
function hostOf(type: OperatorClass, method: string): OperatorClass {
  const prototype = type.prototype as { readonly constructor?: OperatorClass };
  const { constructor: inner } = prototype;
  const declares = typeof inner === 'function' && methodOf(inner, method) === methodOf(type, method);
  return declares ? inner : type;
}

function methodOf(type: OperatorClass, method: string): unknown {
  const prototype: unknown = type.prototype;
  return typeof prototype === 'object' && prototype !== null ? Reflect.get(prototype, method) : undefined;
}

function learnParametersKey(): unknown {
  class Probe {
    method(): void {}
  }
  createParamDecorator(() => undefined)()(Probe.prototype, 'method', 0);
  const [key] = Reflect.getMetadataKeys(Probe, 'method');
  return key;
}
