import { AgentException } from '@nestor/core';

/**
 * The object that a column holds as JSON. Rows are written by this package alone: whoever reads one knows what it is.
 * @param where for the error, e.g. `agent_step (turn 2, tool:0)`
 * @throws AgentException `corrupt_row`
 */
export function readStored(text: unknown, runId: string, where: string): object {
  let cause: unknown;
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    cause = error;
  }
  throw new AgentException(
    `Run "${runId}" cannot be read from ${where}: it holds no JSON object. Restore the row, or delete the run.`,
    { code: 'corrupt_row', cause },
  );
}
