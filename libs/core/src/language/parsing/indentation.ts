import { isLineBreak, isSpace } from '../lexing/characters.js';

/** Longest indentation that is measured: no line is read twice for more. */
const MOST = 200;

/** White space before what stands first on its line at `offset`; undefined if something stands before it. */
export function indentationOf(source: string, offset: number): number | undefined {
  for (let at = offset - 1; at >= offset - MOST; at--) {
    if (at < 0 || isLineBreak(source.charCodeAt(at))) return offset - 1 - at;
    if (!isSpace(source.charCodeAt(at))) return undefined;
  }
  return undefined;
}

/** White space at the start of the line that `offset` stands on; undefined if that line is long. */
export function lineIndentation(source: string, offset: number): number | undefined {
  let first = offset;
  for (let at = offset - 1; at >= offset - MOST; at--) {
    if (at < 0 || isLineBreak(source.charCodeAt(at))) return first - 1 - at;
    if (!isSpace(source.charCodeAt(at))) first = at;
  }
  return undefined;
}
