import { isLineBreak } from './characters.js';

/**
 * Where a string that is not closed on its line is taken to end: at the end of the line, but for closing brackets there
 * that the string's own text does not open. So `input { q = "abc }` misses a quote and no bracket.
 */
export function unclosedStringEnd(source: string, start: number): number {
  let depth = 0;
  let closers = -1;
  let at = start;
  for (; at < source.length && !isLineBreak(source.charCodeAt(at)); at++) {
    const character = source.charAt(at);
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character) && depth > 0) depth--;
    else if (')]}'.includes(character)) closers = closers === -1 ? at : closers;
    else if (!' \t,'.includes(character)) closers = -1;
  }
  return closers === -1 ? at : closers;
}
