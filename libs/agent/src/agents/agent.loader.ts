import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import {
  AgentLoopOperator,
  AgentToolOperator,
  loopServices,
  OperatorRegistry,
  StreamingAgentLoopOperator,
  ToolException,
  type AgentDef,
  type LoopServices,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import type { AgentFile } from '../agent-files/agent-file.js';
import type { AgentFileSet } from '../agent-files/agent-file-set.js';
import { AgentFileWatcher } from '../agent-files/agent-file.watcher.js';
import { compileAgentFiles } from '../agent-files/compile-agent-files.js';
import { OperatorExplorer } from '../operators/operator.explorer.js';
import { AgentRegistry, type RegisteredAgent } from './agent.registry.js';
import { FeatureAgents } from './feature-agents.js';
import { withModuleTools } from './feature-scope.js';

/** Agents that were imported, and the module whose tools are theirs, if that matters. */
interface Feature {
  readonly agents: FeatureAgents;
  readonly module: Parameters<typeof withModuleTools>[1];
}

/** Brings the agents of all imports into the registry, those of files compiled, and keeps them up with their files. */
@Injectable()
export class AgentLoader {
  readonly #logger = new Logger('AgentModule');
  readonly #features = new Set<FeatureAgents>();
  readonly #watcher: AgentFileWatcher;
  /** The modules of features whose files are watched. */
  readonly #modulesOf = new Map<AgentFileSet, Feature['module']>();
  #services = loopServices();

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
    @Inject(OperatorRegistry) private readonly registry: OperatorRegistry,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(OperatorExplorer) private readonly operators: OperatorExplorer,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {
    this.#watcher = new AgentFileWatcher({
      registry,
      exists: (id) => this.agents.has(id),
      announce: (id) => this.#registerAsTool(id),
      use: (def, files) => this.agents.replace(this.#link(this.#withTools(def, this.#modulesOf.get(files)))),
      drop: (id) => this.agents.remove(id),
    });
  }

  /** Registers the agents that are new, and links again those that are offered every tool. */
  load(services: LoopServices): void {
    this.#services = services;
    const features = this.#newFeatures();
    // Before any is compiled: one may name another as a tool.
    for (const { agents } of features) for (const id of agents.ids) this.#registerAsTool(id);
    const read = features.map((feature) => ({ feature, files: feature.agents.files.read() }));
    const added = read.flatMap(({ feature, files }) => this.#definitionsOf(feature, files));
    for (const def of this.agents.definitions()) if (def.allTools) this.agents.replace(this.#link(def));
    for (const def of added) this.agents.register(this.#link(def));
    for (const { feature, files } of read) this.#watch(feature, files);
  }

  #newFeatures(): Feature[] {
    return this.discovery.getProviders().flatMap(({ instance, host }) => {
      const agents: unknown = instance;
      if (!FeatureAgents.is(agents) || this.#features.has(agents)) return [];
      this.#features.add(agents);
      return [{ agents, module: agents.scoped ? host : undefined }];
    });
  }

  /** @throws AgentException `invalid_agent_source` with all that is wrong in its files. */
  #definitionsOf({ agents, module }: Feature, files: readonly AgentFile[]): AgentDef[] {
    const warn = (warnings: string): void => this.#logger.warn(warnings);
    const fromFiles = compileAgentFiles(files, this.registry, warn);
    return [...agents.definitions, ...fromFiles].map((def) => this.#withTools(def, module));
  }

  #withTools(def: AgentDef, module: Feature['module']): AgentDef {
    return withModuleTools(def, module, this.modules.values(), this.operators);
  }

  #watch({ agents, module }: Feature, files: readonly AgentFile[]): void {
    const { watchAgents = !['production', 'test'].includes(process.env.NODE_ENV ?? '') } = this.options;
    if (agents.files.patterns.length === 0 || !watchAgents) return;
    this.#modulesOf.set(agents.files, module);
    this.#watcher.add(agents.files, files);
  }

  /** An agent can name another as the operator of a tool; in any order, since it is looked up when it is called. */
  #registerAsTool(id: string): void {
    if (this.registry.has(id)) return;
    this.registry.register(id, new AgentToolOperator(() => this.#loopOf(id), `The agent "${id}".`));
  }

  /** @throws ToolException if its file is gone, or could not be used: whoever calls it goes on without it. */
  #loopOf(id: string): AgentLoopOperator {
    if (this.agents.has(id)) return this.agents.get(id).loop;
    throw new ToolException('failed', `There is no agent "${id}" any more.`);
  }

  #link(def: AgentDef): RegisteredAgent {
    return {
      def,
      loop: new AgentLoopOperator(def.id, def, this.registry, this.#services),
      streamingLoop: new StreamingAgentLoopOperator(def.id, def, this.registry, this.#services),
    };
  }

  /** Files are looked at no more. */
  stop(): void {
    this.#watcher.stop();
  }
}
