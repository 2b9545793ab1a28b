import {
  isDurableRunStore,
  type DurableRunStore,
  type RecoveredRun,
  type RunLog,
  type RunStore,
} from '@nestor/core';
import type { SettlingBridge } from './event-journal.options.js';

/** A store whose runs wait, at each step, until the journal has their events; a run whose events are lost fails there. */
export function strictRuns(runs: RunStore, bridge: SettlingBridge): RunStore {
  const strict: RunStore = {
    open: async (run) => strictLog(await runs.open(run), run.runId, bridge),
    find: (runId) => runs.find(runId),
    list: (options) => runs.list(options),
  };
  return isDurableRunStore(runs) ? { ...strict, ...strictDurable(runs, bridge) } : strict;
}

function strictDurable(
  runs: DurableRunStore,
  bridge: SettlingBridge,
): Pick<DurableRunStore, 'enqueue' | 'history' | 'claim' | 'claimNext' | 'cancel' | 'decide'> {
  const strictly = (recovered: RecoveredRun | undefined): RecoveredRun | undefined =>
    recovered && { ...recovered, log: strictLog(recovered.log, recovered.history.run.runId, bridge) };
  return {
    enqueue: (run) => runs.enqueue(run),
    history: (runId) => runs.history(runId),
    claim: async (runId) => strictly(await runs.claim(runId)),
    claimNext: async (agents) => strictly(await runs.claimNext(agents)),
    cancel: (runId, reason) => runs.cancel(runId, reason),
    decide: (runId, argumentsHash, decision) => runs.decide(runId, argumentsHash, decision),
  };
}

function strictLog(log: RunLog, runId: string, bridge: SettlingBridge): RunLog {
  const settling =
    <A>(write: (step: A) => void | Promise<void>) =>
    async (step: A): Promise<void> => {
      await write(step);
      await bridge.settled(runId);
    };
  // Name by name: a log may be of a class, whose methods a spread would lose.
  const { listen, toolStarted, toolNotMade, suspended, release } = log;
  return {
    lost: log.lost,
    ...(listen && { listen: (context) => listen.call(log, context) }),
    answered: settling((step) => log.answered(step)),
    toolCompleted: settling((step) => log.toolCompleted(step)),
    ended: async (outcome, exited) => {
      await log.ended(outcome, exited);
      await bridge.settled(runId);
    },
    ...(toolNotMade && { toolNotMade: (step) => toolNotMade.call(log, step) }),
    ...(toolStarted && { toolStarted: (step) => toolStarted.call(log, step) }),
    ...(suspended && { suspended: settling((pending) => suspended.call(log, pending)) }),
    ...(release && { release: () => release.call(log) }),
  };
}
