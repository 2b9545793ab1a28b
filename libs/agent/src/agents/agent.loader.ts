import { Inject, Injectable, Logger } from '@nestjs/common';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import {
  AgentLoopOperator,
  AgentToolOperator,
  loopServices,
  OperatorRegistry,
  StreamingAgentLoopOperator,
  type AgentDef,
  type LoopServices,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { AgentFileWatcher } from '../agent-files/agent-file.watcher.js';
import { compileAgentFiles } from '../agent-files/compile-agent-files.js';
import { OperatorExplorer } from '../operators/operator.explorer.js';
import { AgentRegistry, DuplicateAgentException, type RegisteredAgent } from './agent.registry.js';
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
  readonly #watchers: AgentFileWatcher[] = [];
  #services = loopServices();

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
    @Inject(OperatorRegistry) private readonly registry: OperatorRegistry,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(OperatorExplorer) private readonly operators: OperatorExplorer,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  /** Registers the agents that are new, and links again those that are offered every tool. */
  load(services: LoopServices): void {
    this.#services = services;
    const features = this.#newFeatures();
    // Before any is compiled: one may name another as a tool.
    for (const { agents } of features) for (const id of agents.ids) this.#registerAsTool(id);
    const added = features.flatMap((feature) => this.#definitionsOf(feature));
    for (const def of this.agents.definitions()) if (def.allTools) this.agents.replace(this.#link(def));
    for (const def of added) this.agents.register(this.#link(def));
    for (const feature of features) this.#watch(feature);
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
  #definitionsOf({ agents, module }: Feature): AgentDef[] {
    const warn = (warnings: string): void => this.#logger.warn(warnings);
    const fromFiles = compileAgentFiles(agents.files.read(), this.registry, warn);
    return [...agents.definitions, ...fromFiles].map((def) => this.#withTools(def, module));
  }

  #withTools(def: AgentDef, module: Feature['module']): AgentDef {
    return withModuleTools(def, module, this.modules.values(), this.operators);
  }

  #watch({ agents, module }: Feature): void {
    const { patterns } = agents.files;
    const { watchAgents = !['production', 'test'].includes(process.env.NODE_ENV ?? '') } = this.options;
    if (patterns.length === 0 || !watchAgents) return;
    const own = new Set(agents.ids);
    const use = (def: AgentDef): void => {
      if (this.agents.has(def.id) && !own.has(def.id)) throw new DuplicateAgentException(def.id);
      own.add(def.id);
      this.#registerAsTool(def.id);
      this.agents.replace(this.#link(this.#withTools(def, module)));
    };
    const watcher = new AgentFileWatcher({ patterns, registry: this.registry, use });
    this.#watchers.push(watcher);
    watcher.start();
  }

  /** An agent can name another as the operator of a tool; in any order, since it is looked up when it is called. */
  #registerAsTool(id: string): void {
    if (this.registry.has(id)) return;
    this.registry.register(id, new AgentToolOperator(() => this.agents.get(id).loop, `The agent "${id}".`));
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
    for (const watcher of this.#watchers) watcher.stop();
  }
}
