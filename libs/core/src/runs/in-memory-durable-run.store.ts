import type { PendingApproval } from '../definition/pending-approval.js';
import { AgentAbortedException } from '../errors/agent-aborted.exception.js';
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
  /** Questions that wait for a person, by the id of the call. */
  readonly pending: Map<string, PendingApproval>;
  /** What it waits for: somebody who executes it, or people. Undefined while it is under way, and when it has ended. */
  waits: 'queued' | 'suspended' | undefined;
  /** Grows with every owner: who holds an older one can write nothing. */
  fence: number;
}

const NOTHING: RecordedCall = Object.freeze({ started: false, result: undefined, approvals: [] });

/** Runs that can wait for people, within this process. */
export class InMemoryDurableRunStore extends InMemoryRunStore implements DurableRunStore {
  readonly #entries = new Map<string, Entry>();

  override open(run: NewRun): RunLog {
    return this.#log(this.#enter(run, undefined), super.open(run));
  }

  enqueue(run: NewRun): void {
    if (this.find(run.runId)) {
      throw new AgentException(`There is a run "${run.runId}" already. Give each run an id of its own.`, {
        code: 'run_exists',
      });
    }
    super.open(run);
    this.#enter(run, 'queued');
  }

  override find(runId: string): RunSummary | undefined {
    const summary = super.find(runId);
    const waits = this.#entries.get(runId)?.waits;
    return summary && waits ? { ...summary, status: waits } : summary;
  }

  override list(options?: { readonly limit?: number }): readonly RunSummary[] {
    return super.list(options).map((summary) => this.find(summary.runId) ?? summary);
  }

  history(runId: string): RunHistory | undefined {
    const entry = this.#entries.get(runId);
    if (entry) expire(entry);
    return entry && { run: entry.run, answers: [...entry.answers], calls: new Map(entry.calls) };
  }

  claim(runId: string): RecoveredRun | undefined {
    const entry = this.#entries.get(runId);
    const history = this.history(runId);
    if (!entry?.waits || !history || entry.pending.size > 0) return undefined;
    entry.waits = undefined;
    return { history, log: this.#log(entry, super.open(entry.run)) };
  }

  claimNext(agents?: readonly string[]): RecoveredRun | undefined {
    const candidates = [...this.#entries.values()].filter(({ run }) => agents?.includes(run.agentId) ?? true);
    const underWay = candidates.filter((entry) => this.#isUnderWay(entry));
    const busy = new Set(underWay.map(({ run }) => run.sessionId));
    busy.delete(undefined);
    for (const { waits, run } of candidates) {
      const recovered = waits && !busy.has(run.sessionId) ? this.claim(run.runId) : undefined;
      if (recovered) return recovered;
      if (waits === 'queued' && run.sessionId !== undefined) busy.add(run.sessionId);
    }
    return undefined;
  }

  #isUnderWay({ waits, run }: Entry): boolean {
    return waits === undefined && super.find(run.runId)?.status === 'running';
  }

  /** A run under way is one of this process: whoever executes it has its signal. */
  cancel(runId: string, reason: string): boolean {
    const entry = this.#entries.get(runId);
    if (!entry?.waits) return entry !== undefined && this.#isUnderWay(entry);
    entry.waits = undefined;
    const { message } = new AgentAbortedException(entry.run.agentId, reason);
    const turnsUsed = entry.answers.at(-1)?.turn ?? 0;
    const log = this.#log(entry, super.open(entry.run));
    void log.ended({ exitReason: 'aborted', turnsUsed, totalTokens: 0, error: message });
    return true;
  }

  decide(runId: string, argumentsHash: string, decision: ApprovalDecision): void {
    const { toolCallId } = decision;
    const entry = this.#entries.get(runId);
    if (entry) expire(entry);
    const last = entry?.calls.get(toolCallId)?.approvals.at(-1);
    const refused = (code: Parameters<typeof ApprovalException.refused>[0]): ApprovalException =>
      ApprovalException.refused(code, runId, toolCallId);
    if (!entry || !last) throw refused('approval_unknown');
    if (last.decision === 'expired') throw refused('approval_expired');
    if (last.decision) throw refused('approval_decided');
    if (last.request.argumentsHash !== argumentsHash) throw refused('approval_changed');
    if (entry.waits !== 'suspended') throw refused('run_not_suspended');
    close(entry, toolCallId, decision);
  }

  #enter(run: NewRun, waits: Entry['waits']): Entry {
    const entry: Entry = { run, answers: [], calls: new Map(), pending: new Map(), waits, fence: 0 };
    this.#entries.set(run.runId, entry);
    return entry;
  }

  /** The steps of runs whose summaries are forgotten. */
  #forget(): void {
    for (const runId of this.#entries.keys()) if (!super.find(runId)) this.#entries.delete(runId);
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
      toolNotMade: ({ toolCallId }) => write(() => merge(toolCallId, { started: false })),
      toolCompleted: (step: ToolResultStep) => write(() => merge(step.toolCallId, { result: step })),
      suspended: (pending) =>
        write(() => {
          entry.waits = 'suspended';
          for (const request of pending) ask(entry, request);
        }),
      ended: (outcome) =>
        write(() => {
          entry.fence += 1;
          void summary.ended(outcome);
          this.#forget();
        }),
    };
  }
}

function ask(entry: Entry, asked: PendingApproval): void {
  const { toolCallId, timeoutMs } = asked;
  const request = timeoutMs === undefined ? asked : { ...asked, expiresAt: Date.now() + timeoutMs };
  const call = entry.calls.get(toolCallId) ?? NOTHING;
  const approvals = [...call.approvals, { request, decision: undefined }];
  entry.calls.set(toolCallId, { ...call, started: false, approvals });
  entry.pending.set(toolCallId, request);
}

/** Closes the question about a call that waits. */
function close(entry: Entry, toolCallId: string, decision: ApprovalDecision | 'expired'): void {
  const call = entry.calls.get(toolCallId);
  const request = entry.pending.get(toolCallId);
  if (!call || !request) return;
  entry.pending.delete(toolCallId);
  const approvals = [...call.approvals.slice(0, -1), { request, decision }];
  entry.calls.set(toolCallId, { ...call, approvals });
}

function expire(entry: Entry): void {
  const now = Date.now();
  for (const [toolCallId, { expiresAt = Infinity }] of entry.pending) {
    if (expiresAt <= now) close(entry, toolCallId, 'expired');
  }
}
