import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { OperatorContext, type AgentCheckpoint, type AgentOutput, type RunOptions } from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { ActiveRuns } from './active-runs.js';
import { checkRunOptions } from './check-run-options.js';
import { AgentRegistry } from './agent.registry.js';
import type { AgentRunOptions } from './agent-run-options.js';
import { AgentRunStream } from './agent-run-stream.js';

/** Runs the application's agents. Inject it wherever an agent is to answer. */
@Injectable()
export class AgentLoopService {
  readonly #agents: AgentRegistry;
  readonly #active: ActiveRuns;
  readonly #logger = new Logger('Agent');

  readonly #options: AgentModuleOptions;

  constructor(
    @Inject(AgentRegistry) agents: AgentRegistry,
    @Inject(ActiveRuns) active: ActiveRuns,
    @Inject(MODULE_OPTIONS_TOKEN) options: AgentModuleOptions,
  ) {
    this.#agents = agents;
    this.#active = active;
    this.#options = options;
  }

  /**
   * Runs an agent to its answer.
   * @param input a text, a message or a list of messages.
   * @throws UnknownAgentException; else an AgentException with `.runId` and `.checkpoint`, such as
   * MaxTurnsExceededException, or LlmException for what the model's provider refuses.
   */
  async run(agent: string, input: unknown, options: AgentRunOptions = {}): Promise<AgentOutput> {
    const { loop } = this.#agents.get(agent);
    const { runOptions, start } = this.#prepare(options);
    return start((context) => loop.execute(input, context, runOptions));
  }

  /**
   * Starts an agent and gives its chunks. Who stops iterating aborts the run.
   * @throws UnknownAgentException, ShuttingDownException and AgentException `duplicate_run` at once; what `run` throws
   * comes from the iteration.
   */
  stream(agent: string, input: unknown, options: AgentRunOptions = {}): AgentRunStream {
    const { streamingLoop, def } = this.#agents.get(agent);
    const { runOptions, start } = this.#prepare(options);
    return new AgentRunStream(runOptions.runId, def.streamingBufferCapacity, (channel) =>
      start((context) => streamingLoop.execute(input, channel, context, runOptions)),
    );
  }

  /**
   * Goes on from a checkpoint, for instance that of a MaxTurnsExceededException with a larger `maxTurns`. Tools whose
   * results are in it do not run again.
   * @throws as `run`.
   */
  async resume(
    agent: string,
    checkpoint: AgentCheckpoint,
    options: AgentRunOptions & { readonly input?: unknown } = {},
  ): Promise<AgentOutput> {
    const { loop } = this.#agents.get(agent);
    const { runOptions, start } = this.#prepare(options);
    return start((context) => loop.resume(checkpoint, context, { ...runOptions, input: options.input }));
  }

  /** Aborts a run of this process; it rejects with AgentAbortedException. Gives false if no such run is under way. */
  cancel(runId: string, reason: unknown = 'cancelled by id'): boolean {
    return this.#active.cancel(runId, reason);
  }

  /** @throws AgentException `invalid_input` for options that do not fit. */
  #prepare(options: AgentRunOptions): {
    readonly runOptions: RunOptions & { readonly runId: string };
    start<T>(run: (context: OperatorContext) => Promise<T>): Promise<T>;
  } {
    checkRunOptions(options);
    const { runId = randomUUID(), listeners, maxTurns, whenBusy = this.#options.whenBusy } = options;
    this.#active.admit(runId);
    return {
      runOptions: { runId, listeners, maxTurns, whenBusy },
      start: (run) =>
        this.#active.start(runId, options.signal, (signal) =>
          run(
            OperatorContext.root({
              sessionId: options.sessionId,
              caller: options.caller,
              graphContext: options.context ?? {},
              traceparent: options.traceparent,
              logger: this.#logger,
              signal,
            }),
          ),
        ),
    };
  }
}
