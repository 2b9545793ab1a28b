import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { DiscoveryModule } from '@nestjs/core';
import { AgentBuilder, OperatorRegistry, type AgentDef, type LlmProvider } from '@nestor/core';
import { AgentBootstrap } from './agent.bootstrap.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type AgentModuleOptions,
  type OPTIONS_TYPE,
} from './agent-module.options.js';
import { ActiveRuns } from './agents/active-runs.js';
import { Agent } from './agents/agent.js';
import { AgentLoopService } from './agents/agent-loop.service.js';
import { AgentRegistry } from './agents/agent.registry.js';
import { FeatureAgents } from './agents/feature-agents.js';
import { getAgentToken } from './agents/inject-agent.decorator.js';
import { ListenerExplorer } from './listeners/listener.explorer.js';
import { agentSettings, type AgentSettings } from './llm/agent.settings.js';
import { createLlmProvider, LLM_PROVIDER } from './llm/llm-provider.factory.js';
import { OperatorExplorer } from './operators/operator.explorer.js';

type AgentSource = AgentDef | AgentBuilder;

/** Agents for the application. Import `forRoot` once; feature modules add their agents with `forFeature`. */
@Module({
  imports: [DiscoveryModule, ConfigModule.forFeature(agentSettings)],
  providers: [
    AgentBootstrap,
    ActiveRuns,
    AgentLoopService,
    AgentRegistry,
    ListenerExplorer,
    OperatorExplorer,
    OperatorRegistry,
    {
      provide: LLM_PROVIDER,
      inject: [MODULE_OPTIONS_TOKEN, agentSettings.KEY],
      useFactory: (options: AgentModuleOptions, settings: AgentSettings): LlmProvider =>
        createLlmProvider(options.llm, settings),
    },
  ],
  exports: [ActiveRuns, AgentLoopService, AgentRegistry, LLM_PROVIDER, OperatorRegistry],
})
export class AgentModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return withAgents(super.forRoot(options), options.agents ?? []);
  }

  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return withAgents(super.forRootAsync(options), options.agents ?? []);
  }

  /** Adds agents from a feature module; `@InjectAgent()` works in modules that import this. */
  static forFeature(options: { readonly agents: readonly AgentSource[] }): DynamicModule {
    return withAgents({ module: AgentFeatureModule }, options.agents);
  }
}

@Module({})
class AgentFeatureModule {}

function withAgents(module: DynamicModule, sources: readonly AgentSource[]): DynamicModule {
  const agents = new FeatureAgents(sources);
  const tokens = agents.definitions.map(({ id }) => id).map(agentProvider);
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
    inject: [AgentLoopService],
    useFactory: (service: AgentLoopService) => new Agent(name, service),
  };
}
