import type { DynamicModule } from '@nestjs/common';
import type { LlmProvider } from '@nestor/core';
import type { AgentModuleExtras, AgentModuleOptions, LlmOptions } from '../agent-module.options.js';
import { AgentModule } from '../agent.module.js';
import { ScriptedProvider } from './scripted.provider.js';

export interface AgentTestingOptions extends AgentModuleOptions, AgentModuleExtras {
  /** What answers. Default: a `ScriptedProvider` without rules, which refuses every question. */
  readonly provider?: LlmProvider;
  /** May be the application's: its servers, keys and provider are not used. The model is `scripted` by default. */
  readonly llm?: LlmOptions;
}

/** `AgentModule` for tests: the model is a script, and the environment has no say. */
export class AgentTestingModule {
  /** As `AgentModule.forRoot`. Agents of feature modules come with `AgentModule.forFeature`, as ever. */
  static forRoot({
    provider = new ScriptedProvider(),
    llm,
    ...options
  }: AgentTestingOptions = {}): DynamicModule {
    return AgentModule.forRoot({ ...options, llm: { model: 'scripted', ...llm, provider } });
  }
}
