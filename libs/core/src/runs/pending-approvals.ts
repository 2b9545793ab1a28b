import type { PendingApproval } from '../definition/pending-approval.js';
import type { RunHistory } from './run-history.js';

/** The calls of a run that wait for a person, without those that are decided or have expired. */
export function pendingApprovals({ calls }: RunHistory): readonly PendingApproval[] {
  return [...calls.values()].flatMap(({ approvals }) => {
    const last = approvals.at(-1);
    return last && !last.decision ? [last.request] : [];
  });
}
