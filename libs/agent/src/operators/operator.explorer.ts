import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import {
  AgentDefinitionException,
  DuplicateOperatorException,
  OperatorRegistry,
  TOOL_NAME,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { MethodOperator } from './method.operator.js';
import { declaredOperators, type DeclaredOperator, type OperatorClass } from './operator.decorator.js';
import { guardCheck, refuseSkippedEnhancers, toolCall, type ProviderWrapper } from './tool-host.js';
import { toolMetadata } from './tool-metadata.js';
import { completeParameters } from './tool-parameters.js';

/** Finds `@Operator()` on the application's providers and registers them. */
@Injectable()
export class OperatorExplorer {
  readonly #explored = new Set<OperatorClass>();
  readonly #hosts = new Map<string, Set<unknown>>();
  /** Where each operator came from, to name both places of a name used twice. */
  readonly #places = new Map<string, string>();

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ExternalContextCreator) private readonly contextCreator: ExternalContextCreator,
    @Inject(OperatorRegistry) private readonly registry: OperatorRegistry,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
  ) {}

  /**
   * Registers what is new since the last time.
   * @throws AgentException for a name used twice, a name the model's API refuses, a schema that cannot be used, or
   * enhancers that would not run.
   */
  explore(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const type = classOf(wrapper);
      // One class provided in several modules is one tool; the first instance found is used.
      if (!type) continue;
      for (const declared of declaredOperators(type)) this.#noteHost(nameOf(type, declared), wrapper.host);
      if (this.#explored.has(type)) continue;
      this.#explored.add(type);
      for (const declared of declaredOperators(type)) this.#register(wrapper, type, declared);
    }
  }

  /** The operators that one of the modules provides. */
  namesIn(modules: ReadonlySet<unknown>): string[] {
    return [...this.#hosts]
      .filter(([, hosts]) => [...hosts].some((host) => modules.has(host)))
      .map(([name]) => name);
  }

  #noteHost(name: string, host: unknown): void {
    this.#hosts.set(name, (this.#hosts.get(name) ?? new Set()).add(host));
  }

  #register(wrapper: ProviderWrapper, type: OperatorClass, declared: DeclaredOperator): void {
    const { method, onClass } = declared;
    const place = onClass ? type.name : `${type.name}.${method}`;
    const name = nameOf(type, declared);
    checkName(name, place);
    checkMethod(type, method, place);
    const other = this.#places.get(name);
    if (other !== undefined) throw new DuplicateOperatorException(name, [other, place]);
    this.#places.set(name, place);
    refuseSkippedEnhancers(wrapper, type, method);
    completeParameters(type, method);
    const call = toolCall(this.contextCreator, wrapper, type, method);
    const metadata = toolMetadata(type, declared, `operator "${name}" (${place})`);
    const visible = this.options.hideDeniedTools
      ? guardCheck(this.contextCreator, wrapper, type, method)
      : undefined;
    this.registry.register(name, new MethodOperator(call, { ...metadata, visible }));
  }
}

function nameOf(type: OperatorClass, { method, onClass, options }: DeclaredOperator): string {
  return options.name ?? (onClass ? type.name : method);
}

/** The class behind a provider: what it was declared with; for a mock, the class it stands for. */
function classOf({ metatype, token, instance, inject }: ProviderWrapper): OperatorClass | undefined {
  const declared = typeof metatype === 'function' && !inject ? metatype : undefined;
  const made = declared ?? constructorOf(instance);
  if (made && declaredOperators(made as OperatorClass).length > 0) return made as OperatorClass;
  return typeof token === 'function' ? (token as OperatorClass) : undefined;
}

function constructorOf(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null) return undefined;
  try {
    const prototype: unknown = Object.getPrototypeOf(instance);
    const type = prototype && Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
    return typeof type === 'function' ? type : undefined;
  } catch {
    // A proxy that refuses to be looked at is no tool.
    return undefined;
  }
}

function checkName(name: string, place: string): void {
  if (TOOL_NAME.test(name)) return;
  throw new AgentDefinitionException(place, [
    `the operator name is ${JSON.stringify(name)}; it must be 1 to 64 letters, digits, "_" or "-", ` +
      `because the model's API refuses anything else. Set @Operator({ name: '...' }).`,
  ]);
}

function checkMethod(type: OperatorClass, method: string, place: string): void {
  const prototype: unknown = type.prototype;
  for (let at = prototype; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, method);
    if (descriptor && typeof descriptor.value === 'function') return;
    if (descriptor) break;
  }
  throw new AgentDefinitionException(place, [
    `@Operator() on a class needs a method execute(input, context), and ${type.name} has no method "${method}". ` +
      `Add it, or decorate the methods that are to be tools.`,
  ]);
}
