import { decodeText } from '../lexing/string-literal.js';
import type { TokenStream } from './token-stream.js';

/**
 * Takes a `"…"` string or a fixed part of one, which opens with one character and closes with `closing` of them, and
 * gives its text. Wrong escapes are told.
 */
export function takeText(stream: TokenStream, closing: number): string {
  const start = stream.start() + 1;
  const text = decodeText(stream.text().slice(1, -closing), (from, to, message) =>
    stream.problem('invalid-escape', { start: start + from, end: start + to }, message, {
      hint: 'escapes are \\n \\t \\r \\\\ \\" \\$ \\uXXXX and \\u{…}; a backslash is written \\\\',
    }),
  );
  stream.take();
  return text;
}
