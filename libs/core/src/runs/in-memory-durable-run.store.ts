import type { PendingApproval } from '../definition/pending-approval.js';
import { AgentException } from '../errors/agent.exception.js';
import { ApprovalException } from '../errors/approval.exception.js';
import type { ApprovalDecision } from './approval-decision.js';
import type { DurableRunStore } from './durable-run.store.js';
import { InMemoryRunStore } from './in-memory-run.store.js';
import type { AnswerStep, NewRun, RunLog, RunSummary, ToolResultStep } from './run.store.js';
import type { RecordedCall, RecoveredRun, RunHistory } from './run-history.js';

interface Entry {
  readonly run: NewRun;
  readonly answers: AnswerStep[];
  readonly calls: Map<string, RecordedCall>;
  /** Calls that wait for a person, by id. */
  readonly pending: Map<string, PendingApproval>;
  suspended: boolean;
  /** Grows with every owner: who holds an older one can write nothing. */
  fence: number;
}

const NOTHING: RecordedCall = Object.freeze({ started: false, result: undefined, decision: undefined });

/** Runs that can wait for people, within this process. Those that ended keep their outcome only. */
export class InMemoryDurableRunStore extends InMemoryRunStore implements DurableRunStore {
  readonly #entries = new Map<string, Entry>();

  override open(run: NewRun): RunLog {
    const entry: Entry = {
      run,
      answers: [],
      calls: new Map(),
      pending: new Map(),
      suspended: false,
      fence: 0,
    };
    this.#entries.set(run.runId, entry);
    return this.#log(entry, super.open(run));
  }

  override find(runId: string): RunSummary | undefined {
    const summary = super.find(runId);
    return summary && this.#entries.get(runId)?.suspended ? { ...summary, status: 'suspended' } : summary;
  }

  override list(options?: { readonly limit?: number }): readonly RunSummary[] {
    return super.list(options).map((summary) => this.find(summary.runId) ?? summary);
  }

  history(runId: string): RunHistory | undefined {
    const entry = this.#entries.get(runId);
    return entry && { run: entry.run, answers: [...entry.answers], calls: new Map(entry.calls) };
  }

  claim(runId: string): RecoveredRun | undefined {
    const entry = this.#entries.get(runId);
    const history = this.history(runId);
    if (!entry?.suspended || !history || entry.pending.size > 0) return undefined;
    entry.suspended = false;
    return { history, log: this.#log(entry, super.open(entry.run)) };
  }

  claimNext(): RecoveredRun | undefined {
    for (const [runId, { suspended, pending }] of this.#entries) {
      if (suspended && pending.size === 0) return this.claim(runId);
    }
    return undefined;
  }

  decide(runId: string, argumentsHash: string, decision: ApprovalDecision): void {
    const { toolCallId } = decision;
    const entry = this.#entries.get(runId);
    const call = entry?.calls.get(toolCallId);
    if (!entry || !call) throw unknownApproval(runId, toolCallId);
    if (call.decision) {
      throw new ApprovalException(
        'approval_decided',
        `Tool call "${toolCallId}" of run "${runId}" was decided already: ${call.decision.decision}.`,
      );
    }
    const pending = entry.pending.get(toolCallId);
    if (!pending) throw unknownApproval(runId, toolCallId);
    if (pending.argumentsHash !== argumentsHash) {
      throw new ApprovalException(
        'approval_changed',
        `The decision about tool call "${toolCallId}" is for other arguments than those that wait. Read the run again and decide anew.`,
      );
    }
    entry.pending.delete(toolCallId);
    entry.calls.set(toolCallId, { ...call, decision });
  }

  #log(entry: Entry, summary: RunLog): RunLog {
    const fence = ++entry.fence;
    const write = <T>(change: () => T): T => {
      if (entry.fence !== fence) {
        throw new AgentException(`Run "${entry.run.runId}" was taken over by somebody else.`, {
          code: 'lease_lost',
        });
      }
      return change();
    };
    const merge = (toolCallId: string, change: Partial<RecordedCall>): void => {
      entry.calls.set(toolCallId, { ...(entry.calls.get(toolCallId) ?? NOTHING), ...change });
    };
    return {
      answered: (step) =>
        write(() => {
          entry.answers.push(step);
          for (const { toolCallId, approval } of step.calls) merge(toolCallId, { started: !approval });
        }),
      toolStarted: ({ toolCallId }) => write(() => merge(toolCallId, { started: true })),
      toolCompleted: (step: ToolResultStep) => write(() => merge(step.toolCallId, { result: step })),
      suspended: (pending) =>
        write(() => {
          entry.suspended = true;
          for (const approval of pending) entry.pending.set(approval.toolCallId, approval);
        }),
      ended: (outcome) =>
        write(() => {
          this.#entries.delete(entry.run.runId);
          return summary.ended(outcome);
        }),
    };
  }
}

function unknownApproval(runId: string, toolCallId: string): ApprovalException {
  return new ApprovalException(
    'approval_unknown',
    `Nobody asked for a decision about tool call "${toolCallId.slice(0, 100)}" of run "${runId.slice(0, 100)}".`,
  );
}
