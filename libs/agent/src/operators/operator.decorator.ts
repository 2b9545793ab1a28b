import { DecoratedClassException } from '../decorated-class.exception.js';
import { Injectable } from '@nestjs/common';
import type { DtoClass } from '../schemas/dto-class.js';
import {
  type OperatorEffect,
  type OperatorMetadata,
  type OperatorRetry,
  type SchemaLike,
} from '@nestor/core';
import type { ProviderClass } from './provider-class.js';

export interface OperatorOptions {
  /** The tool's name. Default: the method's or, on a class, the class's name. */
  readonly name?: string;
  /** What it does, for the model. */
  readonly description?: string;
  /**
   * Checks the model's arguments and describes them to it: zod or any Standard Schema, a JSON Schema, or a
   * class-validator DTO class. Default: the type of the method's parameter if it is a DTO class; else no arguments
   * are described and none is checked.
   */
  readonly input?: SchemaLike | DtoClass;
  readonly output?: SchemaLike;
  /** When to use it; the model reads it behind the description. */
  readonly promptHint?: string;
  /** An example; the model reads it behind the description. */
  readonly usageExample?: string;
  /** What it must not be used for; the model reads it behind the description. */
  readonly constraintsDescription?: string;
  readonly tags?: readonly string[];
  readonly owner?: string;
  /** How it may be repeated after a crash. Default `at-most-once`. */
  readonly effect?: OperatorEffect;
  /** Whether a person must approve each call. Default false. */
  readonly approval?: OperatorMetadata['approval'];
  /** How long a run waits for a person to decide about a call, in ms; then it counts as rejected. Default: for ever. */
  readonly approvalTimeout?: number;
  /**
   * Who decides about an `at-most-once` call that a crash has left without a result: the `model`, which is told
   * `outcome_unknown`; or `suspend`: a person, for whom the run waits. Default `model`.
   */
  readonly onUnknownOutcome?: 'model' | 'suspend';
  /** Limit of one call in ms. Default: the agent's `toolTimeout`. */
  readonly timeout?: number;
  readonly retry?: OperatorRetry;
}

/** What the decorator leaves on a class: one entry per decorated method, `execute` for a decorated class. */
export interface DeclaredOperator {
  readonly method: string;
  readonly onClass: boolean;
  readonly options: OperatorOptions;
  /** The method as it was when it was decorated; a decorator above may have replaced it since. */
  readonly handler?: Handler | undefined;
}

type Handler = (...args: never[]) => unknown;

export type OperatorClass = ProviderClass;

const ENTRY_PROVIDER = '__entryProvider__';
const INJECTABLE = '__injectable__';
const DECLARED = Symbol.for('nestor.operators');

/**
 * Makes a service a tool. On a method: that method, called with the checked arguments and an `OperatorContext`. On a
 * class: its `execute(input, context)`; the class is then injectable without `@Injectable()`.
 * @throws DecoratedClassException on a static method.
 */
export function Operator(options: OperatorOptions = {}): ClassDecorator & MethodDecorator {
  return (target: object, method?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (method !== undefined && typeof target === 'function') refuseStatic(target, method);
    const owner = method === undefined ? target : target.constructor;
    // Nest then takes the class for a way in, as it does controllers: scoped enhancers of it are not skipped.
    Reflect.defineMetadata(ENTRY_PROVIDER, true, owner);
    if (method !== undefined) {
      const handler: unknown = descriptor?.value;
      declare(target, {
        method: String(method),
        onClass: false,
        options,
        handler: typeof handler === 'function' ? (handler as Handler) : undefined,
      });
      return;
    }
    // Without a method name the target is the class itself.
    const type = target as { readonly prototype: object };
    // `@Injectable({ scope })` beside it stays what it is.
    if (!Reflect.hasOwnMetadata(INJECTABLE, target)) Injectable()(target as Parameters<ClassDecorator>[0]);
    declare(type.prototype, { method: 'execute', onClass: true, options });
  };
}

function refuseStatic(type: { readonly name: string }, method: string | symbol): never {
  throw new DecoratedClassException(
    '@Operator()',
    `${type.name}.${String(method)}`,
    '@Operator() stands on a static method, which no provider has. Make it an instance method.',
  );
}

function declare(prototype: object, operator: DeclaredOperator): void {
  const own: DeclaredOperator[] = Reflect.getOwnMetadata(DECLARED, prototype) ?? [];
  Reflect.defineMetadata(DECLARED, [...own, operator], prototype);
}

/**
 * The operators of a class, its own and inherited ones. Kept by class and method name, so that other decorators may
 * replace the function. A subclass that overrides a method without decorating it takes the tool away.
 */
export function declaredOperators(type: OperatorClass): DeclaredOperator[] {
  const found: DeclaredOperator[] = [];
  const hidden = new Set<string>();
  let prototype: unknown = type.prototype;
  while (typeof prototype === 'object' && prototype !== null && prototype !== Object.prototype) {
    const own: readonly DeclaredOperator[] = Reflect.getOwnMetadata(DECLARED, prototype) ?? [];
    found.push(...own.filter(({ method, onClass }) => !onClass && !hidden.has(method)));
    // A class-level operator belongs to exactly the class it stands on.
    if (prototype === type.prototype) found.push(...own.filter(({ onClass }) => onClass));
    for (const name of Object.getOwnPropertyNames(prototype)) hidden.add(name);
    prototype = Object.getPrototypeOf(prototype);
  }
  return found;
}
