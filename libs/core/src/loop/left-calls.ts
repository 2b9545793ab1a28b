import type { AgentRun } from './agent-run.js';
import type { PreparedCall } from './prepared-call.js';

/**
 * Leaves calls that were not made to whoever goes on with the run. Gives false if nobody will: the run ends here.
 * Where that cannot be recorded, they count as calls whose outcome is unknown.
 */
export async function leaveCalls(run: AgentRun, calls: readonly PreparedCall[]): Promise<boolean> {
  const { log } = run;
  if (!log.lost?.aborted || !log.toolNotMade) return false;
  for (const { ordinal, idempotencyKey, call } of calls) {
    const { id: toolCallId, name: toolName } = call;
    try {
      await log.toolNotMade({ ordinal, toolCallId, toolName, idempotencyKey });
    } catch {
      // The run may be somebody else's by now, who has read that it was started.
    }
  }
  return true;
}
