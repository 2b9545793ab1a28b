import { DecoratedClassException } from '../decorated-class.exception.js';
import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, ExternalContextCreator, ModulesContainer } from '@nestjs/core';
import {
  CHAT_OPERATOR,
  DuplicateOperatorException,
  OperatorRegistry,
  STREAMING_CHAT_OPERATOR,
  TOOL_NAME,
  type OperatorMetadata,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { MethodOperator } from './method.operator.js';
import { declaredOperators, type DeclaredOperator, type OperatorClass } from './operator.decorator.js';
import { classOf, type ProviderWrapper } from './provider-class.js';
import { scopedGlobalEnhancers, tieEnhancers } from './scoped-global-enhancers.js';
import { refuseSkippedEnhancers } from './skipped-enhancers.js';
import { guardCheck, toolCall } from './tool-host.js';
import { toolMetadata } from './tool-metadata.js';
import { completeParameters } from './tool-parameters.js';

/** Finds `@Operator()` on the application's providers and registers them. */
@Injectable()
export class OperatorExplorer {
  readonly #hosts = new Map<string, Set<unknown>>();
  /** Where each operator came from, to name both places of a name used twice. */
  readonly #places = new Map<string, { readonly type: OperatorClass; readonly place: string }>();

  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
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
    const globalEnhancers = scopedGlobalEnhancers(this.modules);
    for (const wrapper of this.discovery.getProviders()) {
      const type = classOf(wrapper, isOperatorClass);
      if (!type) continue;
      tieEnhancers(wrapper, globalEnhancers);
      for (const declared of declaredOperators(type)) this.#register(wrapper, type, declared);
    }
    for (const controller of this.discovery.getControllers()) this.#refuseController(controller);
  }

  /** Nest looks enhancers of an outside call up among providers: those of a controller would be skipped. */
  #refuseController(wrapper: ProviderWrapper): void {
    const type = classOf(wrapper, isOperatorClass);
    if (!type || [...this.#places.values()].some((known) => known.type === type)) return;
    const [declared] = declaredOperators(type);
    throw new DecoratedClassException(
      '@Operator()',
      `${type.name}.${declared?.method}`,
      `@Operator() stands on a controller, whose guards would not run. Move the method to a provider, or list ` +
        `${type.name} among the providers of its module too.`,
    );
  }

  /** The operators that one of the modules provides. */
  namesIn(modules: ReadonlySet<unknown>): string[] {
    return [...this.#hosts]
      .filter(([, hosts]) => [...hosts].some((host) => modules.has(host)))
      .map(([name]) => name);
  }

  #register(wrapper: ProviderWrapper, type: OperatorClass, declared: DeclaredOperator): void {
    const { method, onClass } = declared;
    const place = onClass ? type.name : `${type.name}.${method}`;
    const name = nameOf(type, declared);
    checkName(name, place);
    checkMethod(type, method, place);
    const other = this.#places.get(name);
    const isKnown = other?.type === type && other.place === place;
    if (other && !isKnown) throw new DuplicateOperatorException(name, [other.place, place]);
    this.#hosts.set(name, (this.#hosts.get(name) ?? new Set()).add(wrapper.host));
    // One class provided in several modules is one tool; the first instance found is used.
    if (isKnown) return;
    refuseSkippedEnhancers(wrapper, type, declared);
    completeParameters(type, method);
    // First, because a DTO's check is a pipe, and pipes are looked up when the call is put together.
    const metadata = toolMetadata(type, declared, `operator "${name}" (${place})`);
    const call = toolCall(this.contextCreator, wrapper, type, method);
    const visible = this.options.hideDeniedTools
      ? guardCheck(this.contextCreator, wrapper, type, method)
      : undefined;
    this.#places.set(name, { type, place });
    this.registry.register(name, new MethodOperator(call, { ...metadata, visible, kind: kindOf(name) }));
  }
}

function nameOf(type: OperatorClass, { method, onClass, options }: DeclaredOperator): string {
  return options.name ?? (onClass ? type.name : method);
}

function isOperatorClass(type: OperatorClass): boolean {
  return declaredOperators(type).length > 0;
}

function checkName(name: string, place: string): void {
  if (TOOL_NAME.test(name)) return;
  throw new DecoratedClassException(
    '@Operator()',
    place,
    `the operator name is ${JSON.stringify(name)}; it must be 1 to 64 letters, digits, "_" or "-", ` +
      `because the model's API refuses anything else. Set @Operator({ name: '...' }).`,
  );
}

function checkMethod(type: OperatorClass, method: string, place: string): void {
  const prototype: unknown = type.prototype;
  for (let at = prototype; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const descriptor = Object.getOwnPropertyDescriptor(at, method);
    if (descriptor && typeof descriptor.value === 'function') return;
    if (descriptor) break;
  }
  throw new DecoratedClassException(
    '@Operator()',
    place,
    method === 'execute'
      ? `@Operator() on a class needs a method execute(input, context), and ${type.name} has none. ` +
          `Add it, or decorate the methods that are to be tools.`
      : `@Operator() stands on "${method}", which is not a method of ${type.name}. Decorate a method.`,
  );
}

/** An application's own model access is no tool of its agents. */
function kindOf(name: string): OperatorMetadata['kind'] {
  return name === CHAT_OPERATOR || name === STREAMING_CHAT_OPERATOR ? 'model' : 'tool';
}
