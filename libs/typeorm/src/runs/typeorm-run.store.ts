import { randomUUID } from 'node:crypto';
import {
  AgentException,
  wellFormed,
  type ApprovalDecision,
  type DurableRunStore,
  type NewRun,
  type RecoveredRun,
  type RunHistory,
  type RunQuery,
  type RunSummary,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { hashKey } from '../database/storage-key.js';
import { within } from '../waiting/within.js';
import type { JournalCounters } from '../journal/journal.writer.js';
import { JournalTable } from '../journal/journal.table.js';
import { RunApprovals } from './run-approvals.js';
import { IdleRunEnd } from './idle-run.end.js';
import { RunCancellation } from './run-cancellation.js';
import { RunClaims, type Claim } from './run-claims.js';
import { RunHistories } from './run-histories.js';
import { RunLease } from './run-lease.js';
import { agentColumn, RunSummaries } from './run-summaries.js';
import { StepJournal } from './step-events.js';
import { NO_TOTALS, withAnswer } from './run-totals.js';
import { TypeOrmRunLog, type RunPosition } from './typeorm-run.log.js';
import { runStoreOptions, type TypeOrmRunStoreOptions } from './typeorm-run-store.options.js';

const SCHEMA_VERSION = 1;
const CLOSE_LIMIT_MS = 10_000;

/** A run that was taken over, with a log that can also give it back. */
export interface ClaimedRun extends RecoveredRun {
  readonly log: TypeOrmRunLog;
}

/** Runs in the agent database: any of its processes can go on with them. */
export class TypeOrmRunStore implements DurableRunStore {
  readonly #database: AgentDatabase;
  readonly #leaseMs: number;
  /** Of this store alone: what an earlier process of this machine still does must not touch its runs. */
  readonly #owner = randomUUID();
  readonly #approvals: RunApprovals;
  readonly #histories: RunHistories;
  readonly #summaries: RunSummaries;
  readonly #claims: RunClaims;
  readonly #cancellation: RunCancellation;
  readonly #journal: StepJournal | undefined;
  readonly #leases = new Set<RunLease>();
  #closing: Promise<void> | undefined;
  #whenIdle = (): void => {};

  /** @throws AgentException `invalid_options` */
  constructor(database: AgentDatabase, options: TypeOrmRunStoreOptions = {}) {
    const { leaseMs, maxAttempts } = runStoreOptions(options);
    this.#database = database;
    this.#leaseMs = leaseMs;
    this.#approvals = new RunApprovals(database);
    this.#histories = new RunHistories(database, this.#approvals);
    this.#summaries = new RunSummaries(database);
    this.#journal = options.journal && new StepJournal(new JournalTable(database), options.journal);
    const idle = new IdleRunEnd(database, this.#journal);
    this.#claims = new RunClaims(database, {
      approvals: this.#approvals,
      owner: this.#owner,
      leaseMs,
      maxAttempts,
      idle,
    });
    this.#cancellation = new RunCancellation(database, idle);
  }

  /** @throws AgentException `invalid_run_id`, `run_exists` */
  async open(run: NewRun): Promise<TypeOrmRunLog> {
    const { now } = this.#database.dialect;
    const grantedAt = performance.now();
    this.#checkOpen();
    await this.#insert(run, `'running', 1, 1, ?, ${now} + ?, ${now}`, [this.#owner, this.#leaseMs]);
    const events = this.#journal?.eventsOf(0);
    return this.#log({ runId: run.runId, fence: 1, grantedAt }, { totals: NO_TOTALS, calls: [], events });
  }

  /** Of the journal that is written with the steps; undefined if there is none. */
  journalCounters(): JournalCounters | undefined {
    return this.#journal?.counters();
  }

  /**
   * Keeps a run for whoever claims it next.
   * @throws AgentException `invalid_run_id`, `run_exists`
   */
  async enqueue(run: NewRun): Promise<void> {
    await this.#insert(run, `'queued', 0, 0, NULL, ${this.#database.dialect.now}, NULL`, []);
  }

  find(runId: string): Promise<RunSummary | undefined> {
    return this.#summaries.find(runId);
  }

  /** Newest first. @throws AgentException `unknown_run` if there is no run `before` */
  list(query: RunQuery = {}): Promise<readonly RunSummary[]> {
    return this.#summaries.list(query);
  }

  history(runId: string): Promise<RunHistory | undefined> {
    return this.#histories.read(runId);
  }

  async claim(runId: string): Promise<ClaimedRun | undefined> {
    this.#checkOpen();
    return this.#recovered(await this.#claims.claim(runId));
  }

  async claimNext(agents?: readonly string[]): Promise<ClaimedRun | undefined> {
    this.#checkOpen();
    return this.#recovered(await this.#claims.claimNext(agents));
  }

  decide(runId: string, argumentsHash: string, decision: ApprovalDecision): Promise<void> {
    return this.#approvals.decide(runId, argumentsHash, decision);
  }

  cancel(runId: string, reason: string): Promise<boolean> {
    return this.#cancellation.cancel(runId, reason);
  }

  /**
   * Hands over every run under way: its loop is aborted by the log's `lost` signal, records what its tools still
   * gave, and leaves it for others to claim. Runs that are not left within `graceMs` are free when their lease has
   * run out. Call it before anything else aborts the runs, and before the database is closed.
   * @param options.graceMs default 10,000
   */
  close(options: { readonly graceMs?: number } = {}): Promise<void> {
    this.#closing ??= this.#handOver(options.graceMs ?? CLOSE_LIMIT_MS);
    return this.#closing;
  }

  async #handOver(graceMs: number): Promise<void> {
    const reason = new AgentException('The process shuts down; the run goes on elsewhere.', {
      code: 'handed_over',
    });
    const idle = new Promise<void>((resolve) => (this.#whenIdle = resolve));
    for (const lease of this.#leases) lease.askToLeave(reason);
    if (this.#leases.size === 0) return;
    const late = (): Error => new Error('late');
    await within(graceMs, idle, late).catch(() => {
      this.#database.logger.warn(
        `${this.#leases.size} runs were not left in time; others take them over later.`,
      );
      for (const lease of this.#leases) lease.end('was not left in time');
    });
  }

  async #insert(run: NewRun, state: string, values: readonly (string | number)[]): Promise<void> {
    checkRunId(run.runId);
    const { caller, ...kept } = run;
    const { dialect } = this.#database;
    const { now } = dialect;
    const { affected } = await this.#database.query(
      `${dialect.insertIgnore} ${this.#database.table('agent_run')} ` +
        `(status, fence, attempts, lease_owner, lease_until, started_at, id, agent, session_id, session_key, input, caller, ` +
        `turn, version, total_prompt_tokens, total_completion_tokens, total_tokens, total_llm_calls, total_tool_calls, ` +
        `schema_version, created_at, updated_at) ` +
        `VALUES (${state}, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, ${SCHEMA_VERSION}, ${now}, ${now})` +
        dialect.insertIgnoreSuffix,
      [
        ...values,
        run.runId,
        agentColumn(run.agentId),
        run.sessionId === undefined ? null : wellFormed(run.sessionId),
        run.sessionId === undefined ? null : hashKey(run.sessionId),
        JSON.stringify(kept),
        caller === undefined ? null : JSON.stringify(caller),
      ],
    );
    if (affected === 1) return;
    throw new AgentException(`There is a run "${run.runId}" already. Give each run an id of its own.`, {
      code: 'run_exists',
    });
  }

  async #recovered(claim: Claim | undefined): Promise<ClaimedRun | undefined> {
    const history = claim && (await this.#histories.read(claim.runId));
    if (!claim || !history) return undefined;
    const totals = history.answers.reduce(withAnswer, NO_TOTALS);
    const calls = history.answers.at(-1)?.calls ?? [];
    const events = await this.#journal?.eventsAfter(claim.runId);
    return { history, log: this.#log(claim, { totals, calls, events }) };
  }

  #log({ runId, fence, grantedAt }: Claim, position: RunPosition): TypeOrmRunLog {
    const holder = { runId, fence, owner: this.#owner };
    const lease = new RunLease(this.#database, holder, this.#leaseMs, grantedAt, () => {
      this.#leases.delete(lease);
      if (this.#leases.size === 0) this.#whenIdle();
    });
    this.#leases.add(lease);
    return new TypeOrmRunLog(this.#database, this.#approvals, lease, position);
  }

  #checkOpen(): void {
    if (!this.#closing) return;
    throw new AgentException('The run store is closed; this process takes no more runs.', {
      code: 'store_closed',
    });
  }
}

/** @throws AgentException `invalid_run_id` */
function checkRunId(runId: string): void {
  if (/^[\x21-\x7e]{1,64}$/.test(runId)) return;
  throw new AgentException(
    `The run id "${wellFormed(runId).slice(0, 100)}" does not fit the run store: it takes 1 to 64 printable ASCII ` +
      `characters without blanks, such as a UUID.`,
    { code: 'invalid_run_id' },
  );
}
