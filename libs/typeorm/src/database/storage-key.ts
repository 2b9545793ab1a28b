import { createHash } from 'node:crypto';

/**
 * A text of any length and spelling as a key of 64 hex digits: no collation folds two of them, and no index is too
 * short. UTF-16, because UTF-8 would make all half surrogates one.
 */
export function hashKey(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex');
}

/** An id as it stands if every database takes it as it is, which holds for UUIDs; else its hash. */
export function storageKey(id: string): string {
  return /^[\x21-\x7e]{1,64}$/.test(id) ? id : hashKey(id);
}
