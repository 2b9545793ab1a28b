import { AgentDefinitionException } from '../errors/agent-definition.exception.js';
import type { AgentMemoryStrategy } from '../memory/agent-memory-strategy.js';
import { EXIT_CONDITION } from '../language/expression-place.js';
import { Expression } from '../language/expression.js';
import { AgentLoopOperator } from '../loop/agent-loop.operator.js';
import type { LoopServices } from '../loop/loop-services.js';
import { StreamingAgentLoopOperator } from '../loop/streaming-agent-loop.operator.js';
import type { OperatorRegistry } from '../operators/operator.registry.js';
import { AGENT_DEFAULTS } from './agent-def.defaults.js';
import type { AgentDef, SystemPrompt } from './agent-def.js';
import type { AgentToolRef } from './agent-tool-ref.js';
import { rule } from './broken-rule.js';
import { checkAgentDef } from './check-agent-def.js';
import type { ExitCondition } from './exit-condition.js';
import { toResponseFormat, type ResponseSchema } from './response-schema.js';
import { toolRef, type ToolOptions } from './tool-ref.js';

type Draft = { -readonly [K in keyof Omit<AgentDef, 'model' | 'tools'>]: AgentDef[K] } & { model?: string };

/** Builds an `AgentDef` step by step. Every method gives the builder itself; `build` checks everything. */
export class AgentBuilder {
  readonly #def: Draft;
  readonly #tools: AgentToolRef[];

  private constructor({ tools, ...def }: Draft & Pick<AgentDef, 'tools'>) {
    this.#def = def;
    this.#tools = [...tools];
  }

  /** A fresh builder. */
  static create(id: string): AgentBuilder {
    return new AgentBuilder({ ...AGENT_DEFAULTS, id });
  }

  /** Starts from an existing definition, which stays as it is. @throws AgentDefinitionException if it is none. */
  static from(def: AgentDef): AgentBuilder {
    const given: unknown = def;
    if (typeof given === 'object' && given !== null && Array.isArray(def.tools)) return new AgentBuilder(def);
    throw new AgentDefinitionException('(no id)', [
      rule(
        'the definition that from() starts from',
        given,
        'an AgentDef, as build() and the compiler give it',
      ),
    ]);
  }

  /** The model's id, passed to the provider verbatim; `default` means the configured one. Required. */
  model(model: string): this {
    this.#def.model = model;
    return this;
  }

  /** Leading system message of every request; a function makes one for each run from its `ctx`. Default: none. */
  systemPrompt(prompt: SystemPrompt | null): this {
    this.#def.systemPrompt = prompt;
    return this;
  }

  /** Turns before the loop gives up, >= 1. Default 10. */
  maxTurns(turns: number): this {
    this.#def.maxTurns = turns;
    return this;
  }

  /** Tools that run at once in a turn, >= 1; null: all. Default null. */
  maxToolConcurrency(tools: number | null): this {
    this.#def.maxToolConcurrency = tools;
    return this;
  }

  /** Sampling temperature; null: the provider's default. */
  temperature(temperature: number | null): this {
    this.#def.temperature = temperature;
    return this;
  }

  /** What each request shows of the conversation. Default `AgentMemoryStrategy.full()`. */
  memory(strategy: AgentMemoryStrategy): this {
    this.#def.memoryStrategy = strategy;
    return this;
  }

  /**
   * Adds a tool: a ready reference, or an operator by name (see `ToolOptions` for what may differ from the operator).
   * @throws AgentDefinitionException naming each option, its value and the rule it breaks.
   * @throws AgentDslException for a mistake in an expression of `input`.
   */
  tool(tool: AgentToolRef | string, options: ToolOptions = {}): this {
    this.#tools.push(typeof tool === 'string' ? toolRef(tool, options, this.#def.id) : tool);
    return this;
  }

  /** Offers every tool of the registry, beside those added by name. Default: only those added. */
  tools(all: 'all'): this {
    const given: unknown = all;
    if (given !== 'all') {
      throw new AgentDefinitionException(this.#def.id, [
        `tools() takes 'all' only, and got ${typeof given}. Add single tools with .tool(name).`,
      ]);
    }
    this.#def.allTools = true;
    return this;
  }

  /**
   * Tested after each tool round; a truthy value ends the loop. A function, or an expression of the agent language such
   * as `finish_reason == "stop" || tool_call("escalate")`.
   * @throws AgentDslException with the place of each mistake in an expression.
   */
  exitCondition(condition: ExitCondition | Expression | string | null): this {
    this.#def.exitCondition =
      typeof condition === 'string'
        ? Expression.compile(condition, EXIT_CONDITION, `exitCondition of agent "${this.#def.id}"`)
        : condition;
    return this;
  }

  /** Whether streaming is this agent's normal way. Default false. */
  streaming(streaming: boolean): this {
    this.#def.streaming = streaming;
    return this;
  }

  /** Chunks held between model and loop, >= 1. Default 16. */
  streamingBufferCapacity(chunks: number): this {
    this.#def.streamingBufferCapacity = chunks;
    return this;
  }

  /** Limit of one tool call in ms, from 1 to 2,147,483,647 (24.8 days). Default 60,000. */
  toolTimeout(ms: number): this {
    this.#def.toolTimeout = ms;
    return this;
  }

  /** Tokens of one answer, >= 1; null: the provider's default. */
  maxTokens(tokens: number | null): this {
    this.#def.maxTokens = tokens;
    return this;
  }

  /** Tokens of the whole run, >= 1; null: no budget. */
  maxTotalTokens(tokens: number | null): this {
    this.#def.maxTotalTokens = tokens;
    return this;
  }

  /** Wall clock of the whole run in ms, from 1 to 365 days; null: none. */
  deadline(ms: number | null): this {
    this.#def.deadline = ms;
    return this;
  }

  /** `throw` (default), or `finalize`: one last model call with tools off. */
  onMaxTurns(policy: AgentDef['onMaxTurns']): this {
    this.#def.onMaxTurns = policy;
    return this;
  }

  /** Equal calls in a row before the model is told to stop; one more ends the run. 0: never. Default 3. */
  repeatedCallLimit(calls: number): this {
    this.#def.repeatedCallLimit = calls;
    return this;
  }

  /** Characters of a tool result that the model is shown, >= 100. Default 20,000. */
  toolResultLimit(characters: number): this {
    this.#def.toolResultLimit = characters;
    return this;
  }

  /** The form the final answer must have: a JSON Schema, zod or any Standard Schema. Default: free text. */
  responseFormat(schema: ResponseSchema | null): this {
    this.#def.responseFormat = schema === null ? null : toResponseFormat(schema, this.#def.id);
    return this;
  }

  /**
   * The finished, frozen definition.
   * @throws AgentDefinitionException naming each field, its value and the rule it breaks.
   */
  build(): AgentDef {
    const def = { ...this.#def, tools: Object.freeze([...this.#tools]) };
    checkAgentDef(def);
    return Object.freeze(def);
  }

  /** Builds, and makes the operator that runs the agent. */
  toOperator(ref: string, registry: OperatorRegistry, services?: Partial<LoopServices>): AgentLoopOperator {
    return new AgentLoopOperator(ref, this.build(), registry, services);
  }

  /** Builds, and makes the operator that streams the agent. */
  toStreamingOperator(
    ref: string,
    registry: OperatorRegistry,
    services?: Partial<LoopServices>,
  ): StreamingAgentLoopOperator {
    return new StreamingAgentLoopOperator(ref, this.build(), registry, services);
  }
}
