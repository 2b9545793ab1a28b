import {
  Inject,
  Module,
  Optional,
  type DynamicModule,
  type ModuleMetadata,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { DiscoveryModule } from '@nestjs/core';
import { AgentException, OperatorRegistry, type LlmProvider } from '@nestor/core';
import { AgentBootstrap } from './agent.bootstrap.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './agent-module.options.js';
import { checkModuleOptions } from './check-module-options.js';
import { ActiveRuns } from './agents/active-runs.js';
import { Agent } from './agents/agent.js';
import { AgentLoader } from './agents/agent.loader.js';
import { AgentApprovalService } from './agents/agent-approval.service.js';
import { AgentHealthIndicator } from './agents/agent-health.indicator.js';
import { AgentLoopService } from './agents/agent-loop.service.js';
import { AgentRegistry } from './agents/agent.registry.js';
import { FeatureAgents, type AgentSource } from './agents/feature-agents.js';
import { getAgentToken } from './agents/inject-agent.decorator.js';
import { AgentStorage } from './storage/agent-storage.js';
import { RunStores } from './storage/run-stores.js';
import { RunReconciler } from './agents/run-reconciler.js';
import { RunRecovery } from './agents/run-recovery.js';
import { SingleRoot } from './agents/single-root.js';
import { DatabaseHealth } from './health/database-health.js';
import { AgentJournal } from './journal/agent-journal.js';
import { EventJournalRuntime } from './journal/event-journal.runtime.js';
import { ListenerExplorer } from './listeners/listener.explorer.js';
import { agentSettings, type AgentSettings } from './llm/agent.settings.js';
import { createLlmProvider, LLM_PROVIDER } from './llm/llm-provider.factory.js';
import { OperatorExplorer } from './operators/operator.explorer.js';
import { AgentSessions } from './sessions/agent-sessions.js';

export interface AgentFeatureOptions {
  readonly agents?: readonly AgentSource[];
  /** Classes with `@Operator()` that this feature provides and exports, so that they need not stand in a module of their own. */
  readonly operators?: readonly Type[];
  /** What those classes inject. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

/** Agents for the application. Import `forRoot` once; feature modules add their agents with `forFeature`. */
@Module({
  imports: [DiscoveryModule, ConfigModule.forFeature(agentSettings)],
  providers: [
    ActiveRuns,
    AgentApprovalService,
    AgentBootstrap,
    AgentHealthIndicator,
    AgentJournal,
    AgentLoader,
    AgentLoopService,
    AgentRegistry,
    AgentSessions,
    AgentStorage,
    DatabaseHealth,
    EventJournalRuntime,
    ListenerExplorer,
    OperatorExplorer,
    OperatorRegistry,
    RunReconciler,
    RunRecovery,
    RunStores,
    SingleRoot,
    {
      provide: LLM_PROVIDER,
      // The last one is not used: two roots are to be reported before what they lack.
      inject: [MODULE_OPTIONS_TOKEN, agentSettings.KEY, SingleRoot],
      useFactory: (options: unknown, settings: AgentSettings): LlmProvider => {
        checkModuleOptions(options);
        return createLlmProvider(options.llm, settings);
      },
    },
  ],
  exports: [
    ActiveRuns,
    AgentApprovalService,
    AgentHealthIndicator,
    AgentJournal,
    AgentLoopService,
    AgentRegistry,
    AgentSessions,
    DatabaseHealth,
    EventJournalRuntime,
    LLM_PROVIDER,
    OperatorRegistry,
    RunRecovery,
    RunStores,
  ],
})
export class AgentModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return withAgents(super.forRoot(options), new FeatureAgents(options.agents ?? [], false));
  }

  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return withAgents(super.forRootAsync(options), new FeatureAgents(options.agents ?? [], false));
  }

  /** Adds agents from a feature module; `@InjectAgent()` works in modules that import this. */
  static forFeature({ agents = [], operators = [], imports = [] }: AgentFeatureOptions): DynamicModule {
    const feature: DynamicModule = {
      module: AgentFeatureModule,
      imports: [...imports],
      providers: [...operators],
      exports: [...operators],
    };
    return withAgents(feature, new FeatureAgents(agents, true));
  }
}

@Module({})
class AgentFeatureModule {
  /** @throws AgentException `no_root`. */
  constructor(@Optional() @Inject(AgentLoopService) service?: AgentLoopService) {
    requireRoot(service);
  }
}

function requireRoot(service: AgentLoopService | undefined): AgentLoopService {
  if (service) return service;
  throw new AgentException(
    'AgentModule.forFeature needs AgentModule.forRoot, and the application does not import it. Import it once in the root module.',
    { code: 'no_root' },
  );
}

function withAgents(module: DynamicModule, agents: FeatureAgents): DynamicModule {
  const tokens = agents.ids.map(agentProvider);
  return {
    ...module,
    providers: [
      ...(module.providers ?? []),
      { provide: Symbol('nestor.feature-agents'), useValue: agents },
      ...tokens,
    ],
    exports: [...(module.exports ?? []), ...tokens],
  };
}

function agentProvider(name: string): Provider {
  return {
    provide: getAgentToken(name),
    inject: [{ token: AgentLoopService, optional: true }],
    useFactory: (service: AgentLoopService | undefined) => new Agent(name, requireRoot(service)),
  };
}
