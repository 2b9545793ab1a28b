import { ConfigurableModuleBuilder } from '@nestjs/common';
import type {
  AgentDef,
  CallerCodec,
  ConversationStore,
  LlmProvider,
  OpenAiProviderOptions,
  RunStore,
  Summarizer,
  TokenEstimator,
} from '@nestor/core';

export interface LlmOptions extends OpenAiProviderOptions {
  /** What agents with model `default` use. Default: LLM_MODEL, else `gpt-4o-mini`. */
  readonly model?: string;
  /** Models tried in this order when the first is unavailable, limited or too slow. Default: none. */
  readonly fallbackModels?: readonly string[];
  /** A provider of your own, in place of the OpenAI-compatible one. */
  readonly provider?: LlmProvider;
}

import type { AgentSource } from './agents/feature-agents.js';
import type { ApprovalsOptions } from './agents/approvals.options.js';
import {
  EVENT_JOURNAL_OPTIONS,
  type AgentDatabaseLocation,
  type EventJournalOptions,
} from './journal/event-journal.options.js';

export type Durability = 'off' | 'run';

export const AGENT_DURABILITY = Symbol.for('nestor.durability');

export interface AgentModuleOptions {
  readonly llm?: LlmOptions;
  /** Default: in memory. */
  readonly conversationStore?: ConversationStore;
  /** Default: in memory. With `durability: 'run'` it must be a `DurableRunStore`. */
  readonly runStore?: RunStore;
  /** Where the tables of the journal are. Default: beside those of the application's TypeORM DataSource; without one DATABASE_URL, else `sqlite:data/agent.db`. */
  readonly database?: AgentDatabaseLocation;
  /** How long runs and sessions in the database stay with a process that died, in ms, 100 to 86,400,000. Default 30,000. */
  readonly leaseMs?: number;
  /** How a run's caller is kept and restored; needed for durable runs that have one. */
  readonly caller?: CallerCodec;
  /** Who may decide about tool calls that wait for a person. Default: whoever can reach `AgentApprovalService`. */
  readonly approvals?: ApprovalsOptions;
  /** Counts tokens for `tokenBudget`. Default: by the model, if `gpt-tokenizer` is installed, else a heuristic. */
  readonly tokenEstimator?: TokenEstimator;
  /** Makes the summaries of the `summary` memory. Default: the agent's own model. */
  readonly summarizerFor?: (def: AgentDef) => Summarizer;
  /** Whether a tool is kept from the model when its guards would deny the run's caller. Default false: the call is denied. */
  readonly hideDeniedTools?: boolean;
  /** What a run does when another one of its session is under way, unless it says so itself. Default `wait`. */
  readonly whenBusy?: 'wait' | 'refuse';
  /** Whether agent files that change are taken over for new runs. Default: yes, unless NODE_ENV is `production` or `test`. */
  readonly watchAgents?: boolean;
  /** How long runs may go on when the application shuts down, in ms; then they are aborted. Default 5,000. */
  readonly shutdownGraceMs?: number;
}

/** What must be known when modules are put together, also with `forRootAsync`. */
export interface AgentModuleExtras {
  /** Definitions, builders, and patterns of files in the agent language, e.g. `agents/*.agent`, from the working directory on. */
  readonly agents?: readonly AgentSource[];
  /**
   * `run`: each step is recorded before it is acted on, and tools with `approval` wait for a person. Default `off`: the
   * plain loop, in which such tools are not called.
   */
  readonly durability?: Durability;
  /** Writes every callback of every run to a table. Default off. */
  readonly eventJournal?: EventJournalOptions;
  /** Whether other modules see the exports without importing `AgentModule`. Default true. */
  readonly isGlobal?: boolean;
}

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<AgentModuleOptions>({ moduleName: 'Agent' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createAgentOptions')
    .setExtras<AgentModuleExtras>(
      { agents: [], isGlobal: true, durability: 'off', eventJournal: { enabled: false } },
      (definition, { isGlobal = true, durability = 'off', eventJournal = { enabled: false } }) => ({
        ...definition,
        global: isGlobal,
        providers: [
          ...(definition.providers ?? []),
          { provide: AGENT_DURABILITY, useValue: durability },
          { provide: EVENT_JOURNAL_OPTIONS, useValue: eventJournal },
        ],
      }),
    )
    .build();
