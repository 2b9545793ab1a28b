import {
  AgentException,
  type AgentCallbackContext,
  type AnswerStep,
  type LoopExitedPayload,
  type PendingApproval,
  type RunLog,
  type RunOutcome,
  type ToolResultStep,
  type ToolStartedStep,
} from '@nestor/core';
import type { AgentDatabase } from '../database/agent-database.js';
import { FifoMutex } from '../database/fifo.mutex.js';
import { insertRows } from '../database/insert-rows.js';
import { endChange } from './end-change.js';
import type { RunApprovals } from './run-approvals.js';
import type { RunChange, RunLease, RunWork } from './run-lease.js';
import { totalsChange, withAnswer, type RunTotals } from './run-totals.js';
import type { StepEvents } from './step-events.js';
import { resultStatus, STEP_COLUMNS, stepRows, toolStepKey } from './step-rows.js';

const NO_CHANGE: RunChange = { sql: '', values: [] };
/** Who records a step has not crashed for nothing: the attempts without any are counted anew, from this one on. */
const PROGRESS = ', attempts = 1';

/** Where the run stands that a log goes on with. */
export interface RunPosition {
  readonly totals: RunTotals;
  /** The calls of the last answer. */
  readonly calls: readonly ToolStartedStep[];
  /** The run's part of the journal, if there is one. */
  readonly events: StepEvents | undefined;
}

/** Writes the steps of one run, each in a transaction of its own, as long as its lease holds. */
export class TypeOrmRunLog implements RunLog {
  readonly #database: AgentDatabase;
  readonly #approvals: RunApprovals;
  readonly #lease: RunLease;
  readonly #events: StepEvents | undefined;
  readonly #line = new FifoMutex();
  #totals: RunTotals;
  #calls: readonly ToolStartedStep[];

  constructor(database: AgentDatabase, approvals: RunApprovals, lease: RunLease, position: RunPosition) {
    this.#database = database;
    this.#approvals = approvals;
    this.#lease = lease;
    this.#totals = position.totals;
    this.#calls = position.calls;
    this.#events = position.events;
  }

  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  listen(context: AgentCallbackContext): ReturnType<NonNullable<RunLog['listen']>> {
    return this.#events?.listen(context);
  }

  async answered(step: AnswerStep): Promise<void> {
    const { runId, fence } = this.#lease.holder;
    const { dialect } = this.#database;
    const totals = withAnswer(this.#totals, step);
    const rows = stepRows(runId, fence, step);
    const { sql, values } = totalsChange(totals);
    await this.#commit({ sql: sql + PROGRESS, values }, async (transaction) => {
      // Rows that are there already are from a first try whose answer was lost.
      const insert = `${dialect.insertIgnore} ${this.#database.table('agent_step')}`;
      await insertRows(transaction, insert, STEP_COLUMNS, rows, dialect.insertIgnoreSuffix);
    });
    this.#totals = totals;
    this.#calls = step.calls;
  }

  toolStarted(step: ToolStartedStep): Promise<void> {
    const update = this.#stepUpdate(this.#totals.turn, step, 'started', null);
    return this.#commit(NO_CHANGE, update, step.toolCallId);
  }

  toolNotMade(step: ToolStartedStep): Promise<void> {
    return this.#commit(NO_CHANGE, this.#stepUpdate(this.#totals.turn, step, 'planned', null));
  }

  toolCompleted(step: ToolResultStep): Promise<void> {
    const update = this.#stepUpdate(step.turn, step, resultStatus(step), JSON.stringify(step));
    return this.#commit({ sql: PROGRESS, values: [] }, update, step.toolCallId);
  }

  suspended(pending: readonly PendingApproval[]): Promise<void> {
    const { runId } = this.#lease.holder;
    // Whoever waits has not crashed: what was counted up to here is forgotten.
    const change = { sql: `, status = 'suspended', lease_until = NULL, attempts = 0`, values: [] };
    return this.#finishUnlessCancelled(change, (transaction) =>
      this.#approvals.request(transaction, runId, this.#totals.turn, this.#calls, pending),
    );
  }

  async ended(outcome: RunOutcome, exited?: LoopExitedPayload): Promise<void | false> {
    // Told to leave the run, its loop was aborted: for the run this is no end.
    const left = this.lost.aborted && !this.#lease.cancelled;
    if (left && outcome.exitReason === 'aborted') {
      await this.#leave();
      return false;
    }
    this.#events?.exited(exited);
    const change = endChange(outcome, this.#database.dialect.now);
    await (outcome.error === undefined ? this.#finishUnlessCancelled(change) : this.#finish(change));
  }

  /**
   * Gives the run back as it stands, for anybody to claim at once: for a log that no loop has taken, or left without
   * an end. Without effect once the run has ended, waits, or belongs to somebody else.
   */
  async release(): Promise<void> {
    if (!this.#lease.over) await this.#leave();
  }

  #leave(): Promise<void> {
    const sql = `, status = 'queued', lease_until = ${this.#database.dialect.now}, attempts = 0`;
    return this.#lease.finish({ sql, values: [] });
  }

  #stepUpdate(turn: number, { ordinal }: ToolStartedStep, status: string, payload: string | null): RunWork {
    const { runId, fence } = this.#lease.holder;
    return async (transaction) => {
      const { affected } = await transaction.query(
        `UPDATE ${this.#database.table('agent_step')} SET status = ?, payload = ?, fence = ?, updated_at = ? ` +
          `WHERE run_id = ? AND turn = ? AND step_key = ?`,
        [status, payload, fence, Date.now(), runId, turn, toolStepKey(ordinal)],
      );
      if (affected === 1) return;
      throw new AgentException(
        `Call ${ordinal} of turn ${turn} of run "${runId}" is not recorded. Record the answer that asks for it first.`,
        { code: 'unknown_step' },
      );
    };
  }

  /** A step, and the events before it. @param toolCallId set if it is of one call */
  #commit(change: RunChange, work: RunWork, toolCallId?: string): Promise<void> {
    return this.#withEvents(work, toolCallId, (joined) => this.#lease.write(change, joined));
  }

  #finish(change: RunChange): Promise<void> {
    return this.#withEvents(undefined, undefined, (joined) => this.#lease.finish(change, joined));
  }

  #finishUnlessCancelled(change: RunChange, work?: RunWork): Promise<void> {
    return this.#withEvents(work, undefined, (joined) => this.#lease.finishUnlessCancelled(change, joined));
  }

  async #withEvents(
    work: RunWork | undefined,
    toolCallId: string | undefined,
    write: (joined: RunWork | undefined) => Promise<void>,
  ): Promise<void> {
    const events = this.#events;
    if (!events) return write(work);
    // One at a time, as the lock of the run's row would have it anyway: a number that was given is taken for good.
    await this.#line.run(async () => {
      let written: readonly object[] = [];
      await write(async (transaction) => {
        await work?.(transaction);
        written = await events.write(transaction, toolCallId);
      });
      events.committed(written);
    });
  }
}
