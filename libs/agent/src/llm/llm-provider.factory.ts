import { FallbackProvider, OpenAiProvider, type LlmProvider } from '@nestor/core';
import type { LlmOptions } from '../agent-module.options.js';
import type { AgentSettings } from './agent.settings.js';

/** The injection token of the application's `LlmProvider`. Override it in tests. */
export const LLM_PROVIDER = Symbol.for('nestor.llm-provider');

const DEFAULT_MODEL = 'gpt-4o-mini';

/** The model that `default` means. */
export function defaultModel(options: LlmOptions | undefined, settings: AgentSettings): string {
  return options?.model ?? settings.model ?? DEFAULT_MODEL;
}

/** What the options ask for; where they are silent, what the environment says. */
export function createLlmProvider(options: LlmOptions = {}, settings: AgentSettings): LlmProvider {
  const { model: _model, fallbackModels = [], provider: own, ...openAi } = options;
  const provider =
    own ??
    new OpenAiProvider({
      ...openAi,
      baseUrl: openAi.baseUrl ?? settings.baseUrl,
      apiKey: openAi.apiKey ?? settings.apiKey,
    });
  if (fallbackModels.length === 0) return provider;
  return new FallbackProvider([{ provider }, ...fallbackModels.map((model) => ({ provider, model }))]);
}
