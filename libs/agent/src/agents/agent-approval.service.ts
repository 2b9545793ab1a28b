import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  ApprovalException,
  issueText,
  parseToolArguments,
  pendingApprovals,
  toJsonSafe,
  type ApprovalDecision,
  type DurableRunStore,
  type NewRun,
  type PendingApproval,
  type RecordedApproval,
  type RunHistory,
} from '@nestor/core';
import { MODULE_OPTIONS_TOKEN, type AgentModuleOptions } from '../agent-module.options.js';
import { RunStores } from '../storage/run-stores.js';
import { AgentRegistry } from './agent.registry.js';
import { RunRecovery } from './run-recovery.js';

export interface ApprovalAnswer extends Omit<ApprovalDecision, 'toolCallId' | 'decidedBy'> {
  /** Of the request the person saw. Default: whatever waits now. */
  readonly argumentsHash?: string | undefined;
}

export interface DecideOptions {
  /** Who decides: goes to `approvals.authorize`, and is kept as `caller.serialize` gives it. Default: not known. */
  readonly caller?: unknown;
}

/** What people decide about the tool calls that wait for them. Needs `durability: 'run'`. */
@Injectable()
export class AgentApprovalService {
  readonly #logger = new Logger('Agent');

  constructor(
    @Inject(RunStores) private readonly stores: RunStores,
    @Inject(RunRecovery) private readonly recovery: RunRecovery,
    @Inject(AgentRegistry) private readonly agents: AgentRegistry,
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: AgentModuleOptions,
  ) {}

  /** The calls of a run that wait, without those that are decided or have expired. */
  async pending(runId: string): Promise<readonly PendingApproval[]> {
    const store = this.#store();
    // A run that was cancelled while it waited has questions that nobody answers any more.
    if ((await store.find(runId))?.status !== 'suspended') return [];
    const history = await store.history(runId);
    return history ? pendingApprovals(history) : [];
  }

  /**
   * Stores a decision. When the last one of a run is in, the run goes on by itself.
   * @throws ApprovalException `approval_forbidden` if `caller` may not decide; `approval_invalid` if the edited
   * arguments do not fit the tool; `approval_unknown`, `approval_decided`, `approval_expired` or `approval_changed` if
   * nobody asked, or not for this. Nothing is stored then.
   */
  async decide(
    runId: string,
    toolCallId: string,
    answer: ApprovalAnswer,
    { caller }: DecideOptions = {},
  ): Promise<void> {
    const store = this.#store();
    const { argumentsHash, ...decision } = answer;
    const history = await store.history(runId);
    const last = history?.calls.get(toolCallId)?.approvals.at(-1);
    if (history && last) {
      await this.#authorize(caller, history, last);
      if (!last.decision) await this.#checkEdit(history.run, last.request, decision);
    }
    const decidedBy = caller === undefined ? undefined : this.options.caller?.serialize(caller);
    await store.decide(runId, argumentsHash ?? last?.request.argumentsHash ?? '', {
      ...decision,
      toolCallId,
      ...(decidedBy !== undefined && { decidedBy }),
    });
    // Whoever has its agent goes on with it: another process, or this one when the agent is back.
    if (history && this.agents.has(history.run.agentId)) await this.#goOn(store, runId);
  }

  /** The decision stands; if the run cannot be taken over here and now, it is found later. */
  async #goOn(store: DurableRunStore, runId: string): Promise<void> {
    try {
      const recovered = await store.claim(runId);
      // Nobody waits here for the run: it ends, or waits again, in its own time.
      if (recovered) void this.recovery.goOn(recovered);
    } catch (error) {
      this.#logger.warn(
        `Run ${runId} was decided about and goes on later: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #authorize(
    decider: unknown,
    { run }: RunHistory,
    { request: { toolCallId, toolName, arguments: args, reason } }: RecordedApproval,
  ): Promise<void> {
    const { approvals, caller: codec } = this.options;
    if (!approvals?.authorize) return;
    const { runId, agentId, sessionId } = run;
    const caller = run.caller === undefined ? undefined : codec?.restore(run.caller);
    const about = { runId, agentId, sessionId, toolCallId, toolName, arguments: args, reason, caller };
    // Anything but true is a refusal: what an untyped policy gives must not let anybody in.
    const allowed: unknown = await approvals.authorize(decider, about);
    if (allowed !== true) throw ApprovalException.refused('approval_forbidden', runId, toolCallId);
  }

  /**
   * The call itself checks its arguments again, when nobody can be asked any more.
   * @throws UnknownAgentException where the agent is not known: what cannot be checked is not stored
   */
  async #checkEdit(
    { agentId }: NewRun,
    { toolName }: PendingApproval,
    { decision, arguments: edited }: Pick<ApprovalDecision, 'decision' | 'arguments'>,
  ): Promise<void> {
    if (decision !== 'approve' || edited === undefined) return;
    if (edited === null) throw invalidEdit(toolName, 'they must be an object, not null');
    const read = parseToolArguments(JSON.stringify(toJsonSafe(edited)));
    if (!read.ok) throw invalidEdit(toolName, read.message);
    const schema = this.agents.get(agentId).loop.tool(toolName)?.argumentsSchema;
    if (!schema) return;
    const validation = await (schema.check ? schema.check(read.value) : schema.validate(read.value));
    if (!validation.ok) throw invalidEdit(toolName, validation.issues.map(issueText).join('; '));
  }

  #store(): DurableRunStore {
    if (this.stores.durable) return this.stores.durable;
    throw new ApprovalException(
      'run_not_suspended',
      "No run waits for anybody: runs are not durable. Set durability: 'run' in AgentModule.forRoot.",
    );
  }
}

function invalidEdit(toolName: string, problems: string): ApprovalException {
  return new ApprovalException(
    'approval_invalid',
    `The arguments do not fit "${toolName}": ${problems}. Nothing was decided; correct them and decide again.`,
  );
}
