import { createParamDecorator } from '@nestjs/common';
import type { OperatorClass } from './operator.decorator.js';
import { ToolContext } from './tool-context.decorator.js';

/** How Nest marks a parameter as the body of a request: the model's arguments take that place, so that pipes treat them alike. */
const BODY = '3';

const COMPLETED = Symbol.for('nestor.parameters-completed');

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
  if (Reflect.getOwnMetadata(COMPLETED, type, method) === true) return;
  Reflect.defineMetadata(COMPLETED, true, type, method);
  const entries = parametersOf(type, method);
  const taken = new Set(Object.values(entries).map(({ index }) => index));
  const free = [0, 1, 2, 3, 4, 5, 6, 7].filter((index) => !taken.has(index));
  const hasBody = Object.keys(entries).some((key) => key.startsWith(`${BODY}:`));
  const [args, context] = hasBody ? [undefined, free[0]] : free;
  if (args !== undefined)
    setParameters(type, method, { ...entries, [`${BODY}:${args}`]: { index: args, pipes: [] } });
  // Decorating the context's place makes it a custom parameter: pipes that validate bodies leave it alone.
  if (context !== undefined && !taken.has(context)) ToolContext()(type.prototype as object, method, context);
}

/** The declared type of the parameter that gets the arguments; undefined if the method has none. */
export function argumentsTypeOf(type: OperatorClass, method: string): unknown {
  const entry = Object.entries(parametersOf(type, method)).find(([key]) => key.startsWith(`${BODY}:`))?.[1];
  const types: readonly unknown[] =
    Reflect.getMetadata('design:paramtypes', type.prototype as object, method) ?? [];
  return entry && types[entry.index];
}

/** Adds a pipe that sees the arguments after all others. */
export function addArgumentsPipe(type: OperatorClass, method: string, pipe: object): void {
  const entries = parametersOf(type, method);
  const changed = Object.entries(entries).map(([key, entry]) => {
    const isBody = key.startsWith(`${BODY}:`) && !entry.pipes.includes(pipe);
    return [key, isBody ? { ...entry, pipes: [...entry.pipes, pipe] } : entry] as const;
  });
  setParameters(type, method, Object.fromEntries(changed));
}

function parametersOf(type: OperatorClass, method: string): ParameterEntries {
  return (Reflect.getMetadata(PARAMETERS_KEY, type, method) as ParameterEntries | undefined) ?? {};
}

function setParameters(type: OperatorClass, method: string, entries: ParameterEntries): void {
  Reflect.defineMetadata(PARAMETERS_KEY, entries, type, method);
}

function learnParametersKey(): unknown {
  class Probe {
    method(): void {}
  }
  createParamDecorator(() => undefined)()(Probe.prototype, 'method', 0);
  const [key] = Reflect.getMetadataKeys(Probe, 'method');
  return key;
}
