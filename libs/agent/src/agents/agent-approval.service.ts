import { Inject, Injectable } from '@nestjs/common';
import {
  ApprovalException,
  type ApprovalDecision,
  type DurableRunStore,
  type PendingApproval,
} from '@nestor/core';
import { RunRecovery } from './run-recovery.js';
import { RunStores } from '../storage/run-stores.js';

export interface ApprovalAnswer extends Omit<ApprovalDecision, 'toolCallId'> {
  /** Of the request the person saw. Default: whatever waits now. */
  readonly argumentsHash?: string | undefined;
}

/** What people decide about the tool calls that wait for them. Needs `durability: 'run'`. */
@Injectable()
export class AgentApprovalService {
  constructor(
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(RunRecovery) private readonly recovery: RunRecovery,
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
    // Nobody waits here for the run: it ends, or waits again, in its own time.
    if (recovered) void this.recovery.goOn(recovered);
  }

  #store(): DurableRunStore {
    if (this.stores.durable) return this.stores.durable;
    throw new ApprovalException(
      'run_not_suspended',
      "No run waits for anybody: runs are not durable. Set durability: 'run' in AgentModule.forRoot.",
    );
  }
}
