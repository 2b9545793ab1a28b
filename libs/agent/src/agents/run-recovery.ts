import { Inject, Injectable, Logger } from '@nestjs/common';
import { AgentException, OperatorContext, type CallerCodec, type RecoveredRun } from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { ActiveRuns } from './active-runs.js';
import { AgentRegistry } from './agent.registry.js';

/** Goes on with runs that a store has given out again, for the caller and the `ctx` they were started with. */
@Injectable()
export class RunRecovery {
  readonly #logger = new Logger('Agent');

  constructor(
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
  ) {}

  /** Resolves when the run has ended or waits again; what it fails with is logged, nobody else waits for it. */
  async goOn(recovered: RecoveredRun): Promise<void> {
    const { runId, agentId, sessionId, ctx = {}, caller } = recovered.history.run;
    try {
      const { loop } = this.agents.get(agentId);
      const restored = caller === undefined ? undefined : this.#codec().restore(caller);
      await this.active.start(runId, undefined, (signal) => {
        const fields = { sessionId, caller: restored, graphContext: ctx, logger: this.#logger, signal };
        return loop.recover(recovered, OperatorContext.root(fields));
      });
    } catch (error) {
      this.#logger.warn(
        `Run ${runId} was taken up and not completed: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      // A run that could not even begin is free for others; one that has ended has nothing to give up.
      await this.#release(recovered);
    }
  }

  async #release({ log, history }: RecoveredRun): Promise<void> {
    try {
      await log.release?.();
    } catch (error) {
      this.#logger.warn(
        `Run ${history.run.runId} stays taken until its lease is over: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #codec(): CallerCodec {
    if (this.options.caller) return this.options.caller;
    throw new AgentException(
      'The run has a caller, and caller: { serialize, restore } is not set in AgentModule.forRoot.',
      {
        code: 'caller_not_kept',
      },
    );
  }
}
