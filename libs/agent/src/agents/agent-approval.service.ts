import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  AgentException,
  ApprovalException,
  OperatorContext,
  type ApprovalDecision,
  type CallerCodec,
  type DurableRunStore,
  type PendingApproval,
  type RecoveredRun,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { ActiveRuns } from './active-runs.js';
import { AgentRegistry } from './agent.registry.js';
import { RunStores } from '../storage/run-stores.js';

export interface ApprovalAnswer extends Omit<ApprovalDecision, 'toolCallId'> {
  /** Of the request the person saw. Default: whatever waits now. */
  readonly argumentsHash?: string | undefined;
}

/** What people decide about the tool calls that wait for them. Needs `durability: 'run'`. */
@Injectable()
export class AgentApprovalService {
  readonly #logger = new Logger('Agent');

  constructor(
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(ActiveRuns) private readonly active: ActiveRuns,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
  ) {}

  /** The calls of a run that wait, without those decided already. */
  async pending(runId: string): Promise<readonly PendingApproval[]> {
    const history = await this.#store().history(runId);
    const steps = history?.answers.flatMap(({ calls }) => calls) ?? [];
    return steps.flatMap(({ approval, toolCallId }) => {
      const call = history?.calls.get(toolCallId);
      return approval && !call?.result && !call?.decision ? [approval] : [];
    });
  }

  /**
   * Stores a decision. When the last one of a run is in, the run goes on by itself.
   * @throws ApprovalException if nobody asked, if it was decided already, or if it is about other arguments.
   */
  async decide(runId: string, toolCallId: string, answer: ApprovalAnswer): Promise<void> {
    const { argumentsHash, ...decision } = answer;
    const waiting = (await this.pending(runId)).find((approval) => approval.toolCallId === toolCallId);
    await this.#store().decide(runId, argumentsHash ?? waiting?.argumentsHash ?? '', {
      ...decision,
      toolCallId,
    });
    const recovered = await this.#store().claim(runId);
    if (recovered) this.#goOn(recovered);
  }

  /** The run belongs to `ActiveRuns` from here on: who shuts down waits for it there. */
  #goOn(recovered: RecoveredRun): void {
    const { runId, agentId, sessionId, ctx = {}, caller } = recovered.history.run;
    const restored = caller === undefined ? undefined : this.#codec().restore(caller);
    const { loop } = this.agents.get(agentId);
    this.active
      .start(runId, undefined, (signal) => {
        const fields = { sessionId, caller: restored, graphContext: ctx, logger: this.#logger, signal };
        return loop.recover(recovered, OperatorContext.root(fields));
      })
      .catch((error: unknown) => {
        this.#logger.warn(
          `Run ${runId} went on and failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
  }

  #store(): DurableRunStore {
    if (this.stores.durable) return this.stores.durable;
    throw new ApprovalException(
      'run_not_suspended',
      "No run waits for anybody: runs are not durable. Set durability: 'run' in AgentModule.forRoot.",
    );
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
