import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  AgentException,
  OperatorContext,
  type AgentCheckpoint,
  type AgentOutput,
  type RunOptions,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { ActiveRuns } from './active-runs.js';
import { checkRunOptions } from './check-run-options.js';
import { AgentRegistry } from './agent.registry.js';
import type { AgentRunOptions, AgentStartOptions } from './agent-run-options.js';
import { AgentRunStream } from './agent-run-stream.js';
import { attachRun, type AttachedChunk, type AttachOptions } from './attach-run.js';
import { RunReconciler } from './run-reconciler.js';
import { RunStores } from '../storage/run-stores.js';

/** Runs the application's agents. Inject it wherever an agent is to answer. */
@Injectable()
export class AgentLoopService {
  readonly #agents: AgentRegistry;
  readonly #active: ActiveRuns;
  readonly #logger = new Logger('Agent');

  readonly #options: AgentModuleOptions;
  readonly #stores: RunStores;
  readonly #reconciler: RunReconciler;

  constructor(
    @Inject(AgentRegistry) agents: AgentRegistry,
    @Inject(ActiveRuns) active: ActiveRuns,
    @Inject(MODULE_OPTIONS_TOKEN) options: AgentModuleOptions,
    @Inject(RunStores) stores: RunStores,
    @Inject(RunReconciler) reconciler: RunReconciler,
  ) {
    this.#agents = agents;
    this.#active = active;
    this.#options = options;
    this.#stores = stores;
    this.#reconciler = reconciler;
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
   * Starts an agent and gives its chunks. Who stops iterating aborts the run; a durable one goes on.
   * @throws UnknownAgentException, ShuttingDownException and AgentException `duplicate_run` at once; what `run` throws
   * comes from the iteration.
   */
  stream(agent: string, input: unknown, options: AgentRunOptions = {}): AgentRunStream {
    const { streamingLoop, def } = this.#agents.get(agent);
    const { runOptions, start } = this.#prepare(options);
    const streamOptions = { ...runOptions, detached: this.#stores.durable !== undefined };
    return new AgentRunStream(runOptions.runId, def.streamingBufferCapacity, (channel) =>
      start((context) => streamingLoop.execute(input, channel, context, streamOptions)),
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

  /**
   * Starts a run and gives its id at once. Follow it with `attach`. With `durability: 'run'` it is kept before this
   * resolves, and any process of the application may execute it; without, it is a run of this process.
   * @throws UnknownAgentException, ShuttingDownException; AgentException `run_exists` or `duplicate_run`
   */
  async start(agent: string, input: unknown, options: AgentStartOptions = {}): Promise<string> {
    const { loop } = this.#agents.get(agent);
    const { runOptions, context, start } = this.#prepare(options);
    if (this.#stores.durable) {
      await withRunId(runOptions.runId, () => loop.enqueue(input, context(), runOptions));
      this.#reconciler.wake();
    } else {
      start((own) => loop.execute(input, own, runOptions)).catch((error: unknown) => {
        this.#logger.warn(`Run ${runOptions.runId} failed: ${messageOf(error)}`);
      });
    }
    return runOptions.runId;
  }

  /**
   * Follows a durable run, whichever process executes it: its answers (each as one token chunk), tool calls and
   * `done`, from a number on. Who stops iterating does not touch the run.
   * @throws AgentException `not_durable`; `unknown_run` or what the run failed with come from the iteration.
   */
  attach(runId: string, options: AttachOptions = {}): AsyncIterable<AttachedChunk> {
    const { durable } = this.#stores;
    if (durable) return attachRun(durable, runId, options);
    throw new AgentException(
      `Run "${runId.slice(0, 100)}" leaves no record to follow: set durability: 'run' in AgentModule.forRoot.`,
      { code: 'not_durable' },
    );
  }

  /**
   * Aborts a run; it ends as `aborted`, and rejects with AgentAbortedException. A durable run may be one of another
   * process, which notices at its next step, or within ten seconds, or wait for people; once this resolves with true
   * it cannot end otherwise. Gives false if no such run is under way.
   */
  async cancel(runId: string, reason = 'cancelled by id'): Promise<boolean> {
    const { durable } = this.#stores;
    try {
      const asked = await durable?.cancel(runId, reason);
      // The store knows which came first, the request or the end of the run.
      if (asked === false && (await durable?.find(runId))) return false;
      return this.#active.cancel(runId, reason) || asked === true;
    } catch (error) {
      // Here it ends even while its store is away.
      if (this.#active.cancel(runId, reason)) return true;
      throw error;
    }
  }

  /** @throws AgentException `invalid_input` for options that do not fit. */
  #prepare(options: AgentRunOptions): {
    readonly runOptions: RunOptions & { readonly runId: string };
    context(signal?: AbortSignal): OperatorContext;
    start<T>(run: (context: OperatorContext) => Promise<T>): Promise<T>;
  } {
    checkRunOptions(options);
    const { runId = randomUUID(), listeners, maxTurns, whenBusy = this.#options.whenBusy } = options;
    this.#active.admit(runId);
    const context = (signal?: AbortSignal): OperatorContext =>
      OperatorContext.root({
        sessionId: options.sessionId,
        caller: options.caller,
        graphContext: options.context ?? {},
        traceparent: options.traceparent,
        logger: this.#logger,
        ...(signal && { signal }),
      });
    return {
      context,
      runOptions: { runId, listeners, maxTurns, whenBusy },
      start: (run) => this.#active.start(runId, options.signal, (signal) => run(context(signal))),
    };
  }
}

/** A run whose start failed may have been kept all the same, when only the answer was lost: its id says where to look. */
async function withRunId<T>(runId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AgentException) error.runId = runId;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
