import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import {
  AgentLoopOperator,
  CHAT_OPERATOR,
  llmSummarizer,
  LlmChatOperator,
  LlmStreamingChatOperator,
  loopServices,
  OperatorRegistry,
  STREAMING_CHAT_OPERATOR,
  StreamingAgentLoopOperator,
  type AgentDef,
  type LlmProvider,
  type LoopServices,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from './agent-module.options.js';
import { ActiveRuns } from './agents/active-runs.js';
import { AgentRegistry } from './agents/agent.registry.js';
import { FeatureAgents } from './agents/feature-agents.js';
import { ListenerExplorer } from './listeners/listener.explorer.js';
import { agentSettings, type AgentSettings } from './llm/agent.settings.js';
import { defaultModel, LLM_PROVIDER } from './llm/llm-provider.factory.js';
import { OperatorExplorer } from './operators/operator.explorer.js';

const DEFAULT_SHUTDOWN_GRACE_MS = 5_000;

/** Puts everything together when the application has started, and takes it apart when it stops. */
@Injectable()
export class AgentBootstrap implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('AgentModule');

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
    @Inject(agentSettings.KEY) private readonly settings: AgentSettings,
    @Inject(LLM_PROVIDER) private readonly provider: LlmProvider,
    @Inject(OperatorRegistry) private readonly registry: OperatorRegistry,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(OperatorExplorer) private readonly operators: OperatorExplorer,
    @Inject(ListenerExplorer) private readonly listeners: ListenerExplorer,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  onApplicationBootstrap(): void {
    this.operators.explore();
    this.#registerModel();
    const services = this.#services();
    for (const def of this.#definitions()) {
      this.agents.register({
        def,
        loop: new AgentLoopOperator(def.id, def, this.registry, services),
        streamingLoop: new StreamingAgentLoopOperator(def.id, def, this.registry, services),
      });
    }
    this.#announce();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.active.close(this.options.shutdownGraceMs ?? DEFAULT_SHUTDOWN_GRACE_MS);
    await this.provider.close?.();
  }

  /** An application may bring chat operators of its own. */
  #registerModel(): void {
    const model = { defaultModel: defaultModel(this.options.llm, this.settings) };
    if (!this.registry.has(CHAT_OPERATOR)) {
      this.registry.register(CHAT_OPERATOR, new LlmChatOperator(this.provider, model));
    }
    if (!this.registry.has(STREAMING_CHAT_OPERATOR)) {
      this.registry.register(STREAMING_CHAT_OPERATOR, new LlmStreamingChatOperator(this.provider, model));
    }
  }

  #services(): LoopServices {
    const { runStore, conversationStore, tokenEstimator, summarizerFor } = this.options;
    return loopServices({
      listeners: this.listeners.explore(),
      ...(runStore && { runs: runStore }),
      ...(conversationStore && { sessions: conversationStore }),
      tokenEstimator,
      summarizerFor: summarizerFor ?? ((def) => llmSummarizer(this.registry, def)),
      logger: new Logger('Agent'),
    });
  }

  #definitions(): AgentDef[] {
    return this.discovery
      .getProviders()
      .map(({ instance }) => instance as unknown)
      .filter((instance) => instance instanceof FeatureAgents)
      .flatMap(({ definitions }) => definitions);
  }

  #announce(): void {
    const tools = this.registry.names().filter((name) => this.registry.metadata(name).kind === 'tool');
    this.#logger.log(`Model: ${defaultModel(this.options.llm, this.settings)}, ${this.provider.description}`);
    this.#logger.log(
      `Agents: ${this.agents.names().join(', ') || 'none'}. Tools: ${tools.join(', ') || 'none'}.`,
    );
  }
}
