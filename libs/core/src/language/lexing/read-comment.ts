import type { Comment } from '../comment.js';
import { MAX_COMMENT } from '../syntax-limits.js';
import { isLineBreak } from './characters.js';

export const OPEN_COMMENT = 'This comment is not closed: "*/" is missing.';
export const LONG_COMMENT = `This comment is too long: it has more than ${MAX_COMMENT} characters.`;

/** Reads the comment that opens at `start`; undefined for a block that is not closed. One that is too long is no doc. */
export function readComment(source: string, start: number): Comment | undefined {
  const sign = source[start + 1] === '/' ? '/' : '*';
  const isDoc = source[start + 2] === sign && source[start + 3] !== sign;
  if (sign === '/') return { kind: 'line', doc: isDoc, span: { start, end: lineEnd(source, start) } };
  const end = blockEnd(source, start);
  if (end === undefined) return undefined;
  // `/**/` is empty.
  const isText = end > start + 4 && end - start <= MAX_COMMENT;
  return { kind: 'block', doc: isDoc && isText, span: { start, end } };
}

function lineEnd(source: string, start: number): number {
  let end = start;
  while (end < source.length && !isLineBreak(source.charCodeAt(end))) end++;
  return end;
}

/** Blocks may stand in blocks. */
function blockEnd(source: string, start: number): number | undefined {
  const delimiter = /\/\*|\*\//g;
  delimiter.lastIndex = start;
  let depth = 0;
  do {
    const found = delimiter.exec(source);
    if (!found) return undefined;
    depth += found[0] === '/*' ? 1 : -1;
  } while (depth > 0);
  return delimiter.lastIndex;
}
