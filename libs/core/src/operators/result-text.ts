import { wellFormed } from '../messages/well-formed.js';
import { cutText } from './cut-text.js';
import { toJsonSafe, unserializable } from './json-safe.js';

/** Default of the longest result the model is shown, in characters. */
export const DEFAULT_RESULT_LIMIT = 20_000;

/**
 * A tool's result as the model reads it: strings verbatim, all else as the JSON of its JSON-safe form; nothing is
 * `null` and an empty string `(empty)`. Always well-formed text; never throws.
 * @param limit most characters, default 20,000: of a longer text the head and the tail stay, with a note between.
 */
export function resultText(value: unknown, limit: number = DEFAULT_RESULT_LIMIT): string {
  const text = typeof value === 'string' ? wellFormed(value) : jsonText(value);
  return cutText(text || '(empty)', limit);
}

function jsonText(value: unknown): string {
  try {
    const safe = toJsonSafe(value);
    return typeof safe === 'string' ? safe : JSON.stringify(safe);
  } catch (error) {
    return unserializable(error); // longer than a string can be, or a getter that throws the second time
  }
}
