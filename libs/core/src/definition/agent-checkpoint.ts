import type { LlmMessage } from '../messages/llm-message.js';

/** Where a run stood. Plain data: keep it as JSON and give it to `resume` to go on, also in another process. */
export interface AgentCheckpoint {
  /** The whole conversation up to here, without the system prompt; every tool call in it has its result. */
  readonly conversation: readonly LlmMessage[];
  /** Turns used up to here, >= 0. */
  readonly turnCount: number;
  /** Results of the latest turn that had tools, by tool-call id. */
  readonly toolResults: Readonly<Record<string, unknown>>;
}
