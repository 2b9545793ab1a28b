import type { AgentDatabase } from '../database/agent-database.js';
import { numberOf, textOf } from '../database/column-value.js';
import { storageKey } from '../database/storage-key.js';
import type { SqlExecutor, SqlRow } from '../database/sql-executor.js';
import type { RunApprovals } from './run-approvals.js';
import type { IdleRunEnd } from './idle-run.end.js';
import { agentColumn } from './run-summaries.js';
import { runTransaction } from './run-transaction.js';

/** Runs looked at together: enough that takers who come at the same time seldom want the same one. */
const CANDIDATES = 16;

interface Candidate {
  readonly runId: string;
  readonly fence: number;
  readonly attempts: number;
  readonly cancelled: boolean;
}

export interface ClaimOptions {
  readonly approvals: Pick<RunApprovals, 'stillWaits'>;
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly idle: Pick<IdleRunEnd, 'end'>;
}

/** A run that was taken: from now on only who names this fence can write it. */
export interface Claim {
  readonly runId: string;
  readonly fence: number;
  /** `performance.now()` before the statement that took it. */
  readonly grantedAt: number;
}

/**
 * Takes runs over. `lease_until` says from when on anybody may: it is in the past for runs that are queued, decided,
 * or left by a process that died. For those that wait for people it is when the first of their questions expires, and
 * null if none does; it is null for those that have ended.
 */
export class RunClaims {
  readonly #database: AgentDatabase;
  readonly #runs: string;
  readonly #options: ClaimOptions;
  /** SQL: true for runs that may be taken. */
  readonly #free: string;

  constructor(database: AgentDatabase, options: ClaimOptions) {
    this.#database = database;
    this.#runs = database.table('agent_run');
    this.#options = options;
    this.#free = `lease_until <= ${database.dialect.now}`;
  }

  async claim(runId: string): Promise<Claim | undefined> {
    const [candidate] = await this.#candidates('r.id = ?', 1, [storageKey(runId)]);
    return candidate && this.#take(candidate);
  }

  /**
   * Takes one of the runs that have been free for the longest, those of one session one after another in their order:
   * who took the next would only wait for its session. @param agents only runs of these. Default: of all
   */
  async claimNext(agents?: readonly string[]): Promise<Claim | undefined> {
    const tried = new Set<string>();
    const shared = !this.#database.dialect.singleConnection;
    const { condition, values } = this.#inTurn(agents);
    for (;;) {
      const found = await this.#candidates(condition, CANDIDATES + tried.size, values);
      const candidates = found.filter(({ runId }) => !tried.has(runId));
      if (candidates.length === 0) return undefined;
      // Where many take runs, not all begin with the same one; where one does, who is free for the longest comes first.
      const start = shared ? Math.floor(Math.random() * candidates.length) : 0;
      for (const candidate of [...candidates.slice(start), ...candidates.slice(0, start)]) {
        const claim = await this.#take(candidate);
        if (claim) return claim;
        tried.add(candidate.runId);
      }
    }
  }

  /** SQL: true for runs `r` that are under way or wait, none of their session's being under way or longer in the queue. */
  #inTurn(agents?: readonly string[]): { readonly condition: string; readonly values: readonly string[] } {
    const names = (agents ?? []).map(agentColumn);
    const ofAgents = (run: string): string =>
      agents ? ` AND ${run}.agent IN (${['NULL', ...names.map(() => '?')].join(', ')})` : '';
    const earlier = `(o.created_at < r.created_at OR o.created_at = r.created_at AND o.id < r.id)`;
    const ahead =
      `SELECT 1 FROM ${this.#runs} o WHERE o.session_key = r.session_key AND o.id <> r.id ` +
      `AND (o.status = 'running' OR o.status = 'queued' AND ${earlier})${ofAgents('o')}`;
    return {
      condition:
        `r.status IN ('queued', 'suspended', 'running')${ofAgents('r')} ` +
        `AND (r.status = 'running' OR NOT EXISTS (${ahead}))`,
      values: [...names, ...names],
    };
  }

  async #candidates(
    condition: string,
    limit: number,
    values: readonly string[] = [],
  ): Promise<readonly Candidate[]> {
    const { rows } = await this.#database.query(
      `SELECT r.id, r.fence, r.attempts, r.cancel_requested_at FROM ${this.#runs} r ` +
        `WHERE ${condition} AND r.${this.#free} ORDER BY r.lease_until LIMIT ${limit}`,
      values,
    );
    return rows.map(readCandidate);
  }

  /** Gives undefined if somebody else has or locks it, if it still waits for people, or has used up its attempts. */
  #take(candidate: Candidate): Promise<Claim | undefined> {
    return runTransaction(this.#database, async (transaction) => {
      const grantedAt = performance.now();
      if (!(await this.#lock(transaction, candidate))) return undefined;
      if (await this.#options.approvals.stillWaits(transaction, candidate.runId)) return undefined;
      const { runId, fence, attempts } = candidate;
      if (candidate.cancelled) {
        await this.#cancelled(transaction, runId);
        return undefined;
      }
      if (attempts >= this.#options.maxAttempts) {
        await this.#giveUp(transaction, candidate);
        return undefined;
      }
      const { owner, leaseMs } = this.#options;
      const { now } = this.#database.dialect;
      await transaction.query(
        `UPDATE ${this.#runs} SET status = 'running', fence = fence + 1, version = version + 1, attempts = attempts + 1, ` +
          `lease_owner = ?, lease_until = ${now} + ?, started_at = COALESCE(started_at, ${now}), updated_at = ${now} ` +
          `WHERE id = ? AND fence = ?`,
        [owner, leaseMs, runId, fence],
      );
      return { runId, fence: fence + 1, grantedAt };
    });
  }

  /** Gives false at once if another transaction has the row: nobody waits for a process that may stand still. */
  async #lock(transaction: SqlExecutor, { runId, fence }: Candidate): Promise<boolean> {
    const skipLocked = this.#database.dialect.kind === 'sqlite' ? '' : ' FOR UPDATE SKIP LOCKED';
    const { rows } = await transaction.query(
      `SELECT id FROM ${this.#runs} WHERE id = ? AND fence = ? AND ${this.#free}${skipLocked}`,
      [runId, fence],
    );
    return rows.length === 1;
  }

  async #giveUp(transaction: SqlExecutor, { runId, attempts }: Candidate): Promise<void> {
    const error =
      `The run was given up: ${attempts} processes took it and none brought it to an end. Most likely one of its tools ` +
      `ends the process. Look at the last started step of the run in agent_step.`;
    await this.#options.idle.end(transaction, runId, { status: 'failed', exitReason: 'error', error });
    this.#database.logger.error(`Run ${runId}: ${error}`);
  }

  async #cancelled(transaction: SqlExecutor, runId: string): Promise<void> {
    const error = 'The run was cancelled while its process was gone.';
    await this.#options.idle.end(transaction, runId, { status: 'aborted', exitReason: 'aborted', error });
  }
}

function readCandidate(row: SqlRow): Candidate {
  return {
    runId: textOf(row['id']),
    fence: numberOf(row['fence']),
    attempts: numberOf(row['attempts']),
    cancelled: row['cancel_requested_at'] !== null,
  };
}
