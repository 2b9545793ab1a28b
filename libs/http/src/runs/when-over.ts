import type { RunSummary } from '@nestor/core';

/** More than the journal needs to write what it has heard. */
const LOOK_MS = 5_000;

/**
 * Calls back when a run has been over for a while, or nobody knows it any more: an event that has not come by then
 * is lost. Gives the way to stop looking.
 */
export function whenOver(find: () => Promise<RunSummary | undefined>, callback: () => void): () => void {
  let wasOver = false;
  const look = async (): Promise<void> => {
    const run = await find();
    const isOver = run === undefined || run.endedAt !== undefined;
    if (isOver && wasOver) callback();
    wasOver = isOver;
  };
  // A database that cannot be asked now is asked again.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS);
  return () => clearInterval(timer);
}

/** Whether events of a run that have not come by now are lost. */
export function isLongOver(run: RunSummary | undefined): boolean {
  return run === undefined || (run.endedAt !== undefined && run.endedAt + LOOK_MS < Date.now());
}
