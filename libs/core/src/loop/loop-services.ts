import type { AgentDef } from '../definition/agent-def.js';
import type { AgentExecutionListener } from '../listeners/agent-execution.listener.js';
import { SILENT_LOGGER, type AgentLogger } from '../listeners/agent-logger.js';
import type { Summarizer } from '../memory/summarizer.js';
import type { TokenEstimator } from '../memory/token-estimator.js';
import { InMemoryRunStore } from '../runs/in-memory-run.store.js';
import type { RunStore } from '../runs/run.store.js';
import type { ConversationStore } from '../sessions/conversation.store.js';
import { InMemoryConversationStore } from '../sessions/in-memory-conversation.store.js';

/** How a caller outlives the process. What is kept must hold all that guards look at, and no secret. */
export interface CallerCodec {
  /** Gives JSON. */
  serialize(caller: unknown): unknown;
  restore(serialized: unknown): unknown;
}

/** What a loop works with. Shared by all runs of an agent. */
export interface LoopServices {
  /** Hear every run, in this order. Default: none. */
  readonly listeners: readonly Partial<AgentExecutionListener>[];
  /** Default: in memory. */
  readonly runs: RunStore;
  /** Default: in memory. */
  readonly sessions: ConversationStore;
  /** Counts tokens for `token_budget`. Default: by the agent's model, see `tokenEstimatorFor`. */
  readonly tokenEstimator: TokenEstimator | undefined;
  /** What the model `default` stands for, to count its tokens. Default: not known. */
  readonly defaultModel: string | undefined;
  /** Makes the summaries of `summary`. Default: none; that strategy then shows its window only. */
  readonly summarizerFor: ((def: AgentDef) => Summarizer) | undefined;
  /** Makes of a caller what a durable store can keep, and back. Default: none; a run with a caller is then refused by such a store. */
  readonly callerCodec: CallerCodec | undefined;
  /** Whether events of a run are lost to the journal; its output then says so. Default: never asked. */
  readonly isJournalPartial: ((runId: string) => boolean) | undefined;
  /** Default: silent. */
  readonly logger: AgentLogger;
  /** How long a tool may take to end after its signal has aborted, in ms. Default 5,000. */
  readonly settleGraceMs: number;
}

export function loopServices(given: Partial<LoopServices> = {}): LoopServices {
  return {
    listeners: [],
    runs: given.runs ?? new InMemoryRunStore(),
    sessions: given.sessions ?? new InMemoryConversationStore(),
    tokenEstimator: undefined,
    defaultModel: undefined,
    summarizerFor: undefined,
    callerCodec: undefined,
    isJournalPartial: undefined,
    logger: SILENT_LOGGER,
    settleGraceMs: 5_000,
    ...given,
  };
}
