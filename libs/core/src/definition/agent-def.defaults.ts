import { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import type { AgentDef } from './agent-def.js';

/** The default of every optional field of an agent. */
export const AGENT_DEFAULTS: Omit<AgentDef, 'id' | 'model'> = Object.freeze({
  systemPrompt: null,
  maxTurns: 10,
  maxToolConcurrency: null,
  temperature: null,
  memoryStrategy: AgentMemoryStrategy.full(),
  tools: Object.freeze([]),
  allTools: false,
  exitCondition: null,
  streaming: false,
  streamingBufferCapacity: 16,
  toolTimeout: 60_000,
  maxTokens: null,
  maxTotalTokens: null,
  deadline: null,
  onMaxTurns: 'throw',
  repeatedCallLimit: 3,
  toolResultLimit: 20_000,
  responseFormat: null,
});
