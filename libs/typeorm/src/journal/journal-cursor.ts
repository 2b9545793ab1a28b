import { AgentException } from '@nestor/core';
import type { JournalEvent } from './journal-event.js';

/** A place in the journal: no two events share one. */
export type JournalPlace = Pick<JournalEvent, 'timestamp' | 'executionId' | 'sequenceNumber'>;

export function cursorOf({ timestamp, executionId, sequenceNumber }: JournalPlace): string {
  return Buffer.from(JSON.stringify([timestamp, executionId, sequenceNumber])).toString('base64url');
}

/** @throws AgentException `invalid_cursor` */
export function placeOf(cursor: string): JournalPlace {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(place)) {
      const [timestamp, executionId, sequenceNumber]: unknown[] = place;
      if (
        Number.isSafeInteger(timestamp) &&
        typeof executionId === 'string' &&
        Number.isSafeInteger(sequenceNumber)
      ) {
        return { timestamp: Number(timestamp), executionId, sequenceNumber: Number(sequenceNumber) };
      }
    }
  } catch {
    // Falls through to the one error there is.
  }
  throw new AgentException(`"${cursor}" is no cursor of the journal. Give the \`next\` of the page before.`, {
    code: 'invalid_cursor',
  });
}
