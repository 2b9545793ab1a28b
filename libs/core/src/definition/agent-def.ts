import type { JsonSchema } from '../operators/json-schema.js';
import type { InputSchema } from '../operators/input-schema.js';
import type { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import type { AgentToolRef } from './agent-tool-ref.js';
import type { Expression } from '../language/expression.js';
import type { ExitCondition } from './exit-condition.js';

/** A fixed text, or one made for each run from the run's `ctx`. Never from anything the model or a client wrote. */
export type SystemPrompt = string | ((ctx: Readonly<Record<string, unknown>>) => string) | Expression;

/** A checked, frozen agent definition. Made by `AgentBuilder` or compiled from the agent language. */
export interface AgentDef {
  readonly id: string;
  /** The model's id; `default` means the configured one. */
  readonly model: string;
  readonly systemPrompt: SystemPrompt | null;
  /** Turns before `MaxTurnsExceededException`, >= 1. Default 10. */
  readonly maxTurns: number;
  /** Tools running at once in a turn; null: all. */
  readonly maxToolConcurrency: number | null;
  /** null: the provider's default. */
  readonly temperature: number | null;
  readonly memoryStrategy: AgentMemoryStrategy;
  /** In the order they were declared. */
  readonly tools: readonly AgentToolRef[];
  /** True if every tool of the registry is offered, beside `tools`. Default false. */
  readonly allTools: boolean;
  readonly exitCondition: ExitCondition | Expression | null;
  /** True: streaming is this agent's normal way. Default false. */
  readonly streaming: boolean;
  /** Chunks held between model and loop, >= 1. Default 16. */
  readonly streamingBufferCapacity: number;
  /** Limit of one tool call in ms. Default 60,000. */
  readonly toolTimeout: number;
  /** Tokens of one answer; null: the provider's default. */
  readonly maxTokens: number | null;
  /** Tokens of the whole run; null: no budget. */
  readonly maxTotalTokens: number | null;
  /** Wall clock of the whole run in ms; null: none. */
  readonly deadline: number | null;
  /** What happens when the turns are used up. Default `throw`; `finalize` makes one last call with tools off. */
  readonly onMaxTurns: 'throw' | 'finalize';
  /** Consecutive equal calls with equal results before the model is told; 0: never. Default 3. */
  readonly repeatedCallLimit: number;
  /** Characters of a tool result shown to the model, >= 100. Default 20,000. */
  readonly toolResultLimit: number;
  /** The final answer is validated against it; null: free text. */
  readonly responseFormat: AgentResponseFormat | null;
}

export interface AgentResponseFormat extends InputSchema {
  readonly name: string;
  readonly jsonSchema: JsonSchema;
}
