import type { ApprovalDecision } from './approval-decision.js';
import type { NewRun, RunStore } from './run.store.js';
import type { RecoveredRun, RunHistory } from './run-history.js';

/** A store from which a run can go on: after it waited for people and, where it outlives the process, after a crash. */
export interface DurableRunStore extends RunStore {
  /**
   * Keeps a new run as `queued`, for whoever claims it.
   * @throws AgentException `run_exists`
   */
  enqueue(run: NewRun): void | Promise<void>;
  /** All that was recorded of a run; undefined if there is no such run. */
  history(runId: string): RunHistory | undefined | Promise<RunHistory | undefined>;
  /**
   * Takes a run over: one that waited and is decided, or one whose owner is gone. From then on only the log given here
   * can write. Questions that were not decided in time, by the clock of the store, count as decided: `expired`.
   * Undefined if there is nothing to take over: unknown, ended, still waiting, or somebody else's.
   */
  claim(runId: string): RecoveredRun | undefined | Promise<RecoveredRun | undefined>;
  /**
   * As `claim`, for whichever run can be taken over. Each run is given to one taker only; a queued or decided one not
   * while another of its session is under way, nor before those of its session that were queued before it.
   * @param agents only runs of these. Default: of all
   */
  claimNext(agents?: readonly string[]): RecoveredRun | undefined | Promise<RecoveredRun | undefined>;
  /**
   * Ends a run that nobody executes as `aborted`, and asks the process that executes it to do so otherwise: that one
   * cannot record any other end from then on. Gives false if there is nothing to end: unknown, or ended. A store of
   * one process leaves it to the caller to abort a run under way.
   */
  cancel(runId: string, reason: string): boolean | Promise<boolean>;
  /**
   * Stores what a person decided about the last question that was asked; the first decision wins.
   * @param argumentsHash of the request the person saw: another hash means that it was about something else.
   * @throws ApprovalException if the decision does not fit; nothing is stored then.
   */
  decide(runId: string, argumentsHash: string, decision: ApprovalDecision): void | Promise<void>;
}

/** Whether runs of a store can be taken over and decided about. */
export function isDurableRunStore(store: RunStore): store is DurableRunStore {
  return 'claim' in store && 'decide' in store && 'enqueue' in store;
}
