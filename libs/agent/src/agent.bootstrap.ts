import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import {
  CHAT_OPERATOR,
  llmSummarizer,
  LlmChatOperator,
  LlmStreamingChatOperator,
  loopServices,
  OperatorRegistry,
  STREAMING_CHAT_OPERATOR,
  type LlmProvider,
  type LoopServices,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from './agent-module.options.js';
import { ActiveRuns } from './agents/active-runs.js';
import { AgentLoader } from './agents/agent.loader.js';
import { AgentRegistry } from './agents/agent.registry.js';
import { onLazyModule } from './agents/lazy-modules.js';
import { EventJournalRuntime } from './journal/event-journal.runtime.js';
import { RunReconciler } from './agents/run-reconciler.js';
import { AgentSessions } from './sessions/agent-sessions.js';
import { AgentStorage } from './storage/agent-storage.js';
import { RunStores } from './storage/run-stores.js';
import { ListenerExplorer } from './listeners/listener.explorer.js';
import { agentSettings, type AgentSettings } from './llm/agent.settings.js';
import { defaultModel, LLM_PROVIDER } from './llm/llm-provider.factory.js';
import { OperatorExplorer } from './operators/operator.explorer.js';

const DEFAULT_SHUTDOWN_GRACE_MS = 5_000;

/** Puts everything together when the application has started, and takes it apart when it stops. */
@Injectable()
export class AgentBootstrap implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('AgentModule');
  #services = loopServices();

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
    @Inject(agentSettings.KEY) private readonly settings: AgentSettings,
    @Inject(LLM_PROVIDER) private readonly provider: LlmProvider,
    @Inject(OperatorRegistry) private readonly registry: OperatorRegistry,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(OperatorExplorer) private readonly operators: OperatorExplorer,
    @Inject(ListenerExplorer) private readonly listeners: ListenerExplorer,
    @Inject(AgentLoader) private readonly loader: AgentLoader,
    @Inject(AgentStorage) private readonly storage: AgentStorage,
    @Inject(EventJournalRuntime) private readonly journal: EventJournalRuntime,
    @Inject(RunReconciler) private readonly reconciler: RunReconciler,
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(AgentSessions) private readonly sessions: AgentSessions,
    @Inject(LazyModuleLoader) private readonly lazyModules: LazyModuleLoader,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.storage.open();
      this.#start();
    } catch (error) {
      await this.#closeStorage();
      throw error;
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.loader.stop();
    await this.reconciler.stop();
    const graceMs = this.options.shutdownGraceMs ?? DEFAULT_SHUTDOWN_GRACE_MS;
    await this.active.close(graceMs, () => this.stores.close());
    await this.#closeStorage();
    await this.provider.close?.();
  }

  async #closeStorage(): Promise<void> {
    await this.stores.close();
    await this.journal.close();
    await this.storage.close();
  }

  #start(): void {
    this.journal.open();
    this.stores.open(this.journal.bridge);
    this.stores.wrap((runs) => this.journal.guarded(runs));
    if (this.journal.listener) this.listeners.addFirst(this.journal.listener);
    this.#services = this.#createServices();
    this.#explore();
    this.#registerModel();
    this.loader.load(this.#services);
    this.agents.markStarted();
    onLazyModule(this.lazyModules, () => {
      this.#explore();
      this.loader.load(this.#services);
    });
    this.reconciler.start();
    this.#announce();
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

  #createServices(): LoopServices {
    const { tokenEstimator, summarizerFor, caller } = this.options;
    return loopServices({
      listeners: this.listeners.listeners,
      runs: this.stores.runs,
      callerCodec: caller,
      isJournalPartial: (runId) => this.journal.isPartial(runId),
      sessions: this.sessions.open(),
      tokenEstimator,
      defaultModel: defaultModel(this.options.llm, this.settings),
      summarizerFor: summarizerFor ?? ((def) => llmSummarizer(this.registry, def)),
      logger: new Logger('Agent'),
    });
  }

  #explore(): void {
    this.operators.explore();
    this.listeners.explore();
  }

  #announce(): void {
    const tools = this.registry.names().filter((name) => this.registry.metadata(name).kind === 'tool');
    this.#logger.log(`Model: ${defaultModel(this.options.llm, this.settings)}, ${this.provider.description}`);
    this.#logger.log(
      `Agents: ${this.agents.names().join(', ') || 'none'}. Tools: ${tools.join(', ') || 'none'}.`,
    );
  }
}
