import { wellFormed } from '@nestor/core';
import type { JournalPayload } from './journal-event.js';

/** Stands between what is left. */
export const CUT = '\n… [cut] …\n';

/** Shortens the long texts of a payload to their head and tail. */
export function cutTexts(payload: JournalPayload, limit: number): JournalPayload {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, cutValue(value, limit)]));
}

function cutValue(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return value.length > limit ? cutText(value, limit) : value;
  if (Array.isArray(value)) return value.map((item) => cutValue(item, limit));
  if (typeof value === 'object' && value !== null) return cutTexts(value as JournalPayload, limit);
  return value;
}

function cutText(text: string, limit: number): string {
  const head = Math.ceil((limit * 2) / 3);
  const tail = limit - head;
  const end = tail === 0 ? '' : text.slice(-tail);
  // A cut may go through a pair of surrogates.
  return wellFormed(text.slice(0, head) + CUT + end);
}
