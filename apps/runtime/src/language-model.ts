import type { LlmEnvironment, RuntimeEnvironment } from './runtime-environment.js';
import type { ScriptedModel } from './scripted-model/scripted-model.js';

/** The model that the runtime's agents ask. */
export interface LanguageModel {
  readonly llm: LlmEnvironment;
  /** Where scripted answers come from; undefined when a real provider is in use. */
  readonly scripted: ScriptedModel | undefined;
}

/** The configured provider, or the scripted model when there is none. */
export async function openLanguageModel({ llm }: RuntimeEnvironment): Promise<LanguageModel> {
  if (llm) return { llm, scripted: undefined };
  const { ScriptedModel } = await import('./scripted-model/scripted-model.js');
  const scripted = await ScriptedModel.start();
  return { llm: { model: 'scripted', baseUrl: scripted.baseUrl }, scripted };
}
