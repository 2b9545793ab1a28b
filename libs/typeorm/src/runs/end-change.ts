import { wellFormed, type RunOutcome } from '@nestor/core';
import { endStatus } from './run-summaries.js';
import type { RunChange } from './run-lease.js';

/** What the end of a run changes in its row. @param now SQL for the database's clock */
export function endChange(outcome: RunOutcome, now: string): RunChange {
  const { exitReason, error, turnsUsed, totalTokens, output } = outcome;
  return {
    sql:
      `, status = ?, exit_reason = ?, error = ?, output = ?, turn = ?, total_tokens = ?, ` +
      `ended_at = ${now}, lease_until = NULL`,
    values: [
      endStatus(outcome),
      exitReason,
      error === undefined ? null : wellFormed(error),
      output === undefined ? null : JSON.stringify(output),
      turnsUsed,
      totalTokens,
    ],
  };
}
