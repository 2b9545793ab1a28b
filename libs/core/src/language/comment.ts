import type { Span } from './syntax-tree.js';

/** A comment of the source, its delimiters included in the span. */
export interface Comment {
  readonly kind: 'line' | 'block';
  /** True for `///` lines and for blocks that open with two stars. */
  readonly doc: boolean;
  readonly span: Span;
}

/** The comments that start in `[from, to)`; the list is in the order of the source. */
export function commentsBetween(comments: readonly Comment[], from: number, to: number): readonly Comment[] {
  const first = firstFrom(comments, from);
  let end = first;
  while ((comments[end]?.span.start ?? to) < to) end++;
  return first === end ? [] : comments.slice(first, end);
}

/** True if a comment starts in `[from, to)`. */
export function hasComment(comments: readonly Comment[], from: number, to: number): boolean {
  return (comments[firstFrom(comments, from)]?.span.start ?? to) < to;
}

/**
 * True if a comment belongs to what stands before it on its line: it starts on the line where that ended, and what
 * follows does not start on the line where the comment ends.
 */
export function isTrailing(
  source: string,
  comment: Comment,
  previousEnd: number,
  nextStart: number,
): boolean {
  return (
    !hasLineBreak(source, previousEnd, comment.span.start) &&
    (nextStart >= source.length || hasLineBreak(source, comment.span.end, nextStart))
  );
}

/** True if a line ends in `[from, to)`. */
export function hasLineBreak(source: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at);
    if (code === 10 || code === 13) return true;
  }
  return false;
}

function firstFrom(comments: readonly Comment[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.span.start ?? offset) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
