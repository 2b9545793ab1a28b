import { AgentException, type LlmMessage } from '@nestor/core';
import { textOf } from '../database/column-value.js';
import type { SqlRow } from '../database/sql-executor.js';

/** @throws AgentException `corrupt_row` if the payload is no message */
export function readMessage(sessionId: string, row: SqlRow): LlmMessage {
  let cause: unknown;
  try {
    const message: unknown = JSON.parse(textOf(row['payload']));
    if (typeof message === 'object' && message !== null && 'role' in message) return message as LlmMessage;
  } catch (error) {
    cause = error;
  }
  throw new AgentException(
    `Message ${String(row['sequence_number'])} of session "${sessionId}" cannot be read from agent_message. ` +
      `Delete the session, or restore the row.`,
    { code: 'corrupt_row', cause },
  );
}
