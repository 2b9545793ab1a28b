import { AgentException } from '../errors/agent.exception.js';
import type { NewRun, RunLog, RunOutcome, RunQuery, RunStatus, RunStore, RunSummary } from './run.store.js';

interface Entry {
  readonly run: NewRun;
  readonly startedAt: number;
  endedAt?: number;
  outcome?: RunOutcome;
}

const NOTHING = (): void => {};

/** Runs of this process: those under way, and the outcome (no messages, no steps) of the latest that ended. */
export class InMemoryRunStore implements RunStore {
  readonly #running = new Map<string, Entry>();
  readonly #ended = new Map<string, Entry>();
  readonly #maxEnded: number;

  /** @param options.maxEnded ended runs remembered, >= 0. Default 100. */
  constructor(options: { readonly maxEnded?: number } = {}) {
    this.#maxEnded = options.maxEnded ?? 100;
  }

  open(run: NewRun): RunLog {
    const entry: Entry = { run: { ...run, input: [] }, startedAt: Date.now() };
    this.#running.set(run.runId, entry);
    return { answered: NOTHING, toolCompleted: NOTHING, ended: (outcome) => this.#end(entry, outcome) };
  }

  find(runId: string): RunSummary | undefined {
    const entry = this.#running.get(runId) ?? this.#ended.get(runId);
    return entry && summary(entry);
  }

  /** @throws AgentException `unknown_run` if there is no run `before` */
  list(query: RunQuery = {}): readonly RunSummary[] {
    const { agentId, sessionId, status, before, limit = 50 } = query;
    const all = [...this.#ended.keys(), ...this.#running.keys()]
      .flatMap((runId) => this.find(runId) ?? [])
      .sort((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1));
    return all
      .slice(before === undefined ? 0 : placeOf(before, all) + 1)
      .filter((run) => agentId === undefined || run.agentId === agentId)
      .filter((run) => sessionId === undefined || run.sessionId === sessionId)
      .filter((run) => status === undefined || run.status === status)
      .slice(0, limit);
  }

  #end(entry: Entry, outcome: RunOutcome): void {
    entry.endedAt = Date.now();
    entry.outcome = outcome;
    this.#running.delete(entry.run.runId);
    this.#ended.set(entry.run.runId, entry);
    if (this.#ended.size <= this.#maxEnded) return;
    const [oldest] = this.#ended.keys();
    if (oldest !== undefined) this.#ended.delete(oldest);
  }
}

function placeOf(runId: string, runs: readonly RunSummary[]): number {
  const place = runs.findIndex((run) => run.runId === runId);
  if (place >= 0) return place;
  throw new AgentException(
    `There is no run "${runId.slice(0, 100)}" to list runs before. List from the start again.`,
    { code: 'unknown_run' },
  );
}

function summary({ run, startedAt, endedAt, outcome }: Entry): RunSummary {
  const { runId, agentId, sessionId } = run;
  return { runId, agentId, sessionId, status: statusOf(outcome), startedAt, endedAt, outcome };
}

function statusOf(outcome: RunOutcome | undefined): RunStatus {
  if (!outcome) return 'running';
  if (outcome.exitReason === 'suspended' || outcome.exitReason === 'aborted') return outcome.exitReason;
  return outcome.error === undefined ? 'completed' : 'failed';
}
