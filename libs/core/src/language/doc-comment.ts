import { commentsBetween, isTrailing, type Comment } from './comment.js';

/**
 * The text of the doc comment of what starts at `start`, or null: the last doc comments before it, back to an ordinary
 * comment, a blank line or `previousEnd`. Ordinary comments behind them are passed. One that ends the line of what
 * stands before belongs there.
 */
export function docBefore(
  source: string,
  comments: readonly Comment[],
  previousEnd: number,
  start: number,
): string | null {
  const texts: string[] = [];
  let next = start;
  for (const comment of commentsBetween(comments, previousEnd, start).toReversed()) {
    if (!comment.doc && texts.length === 0) continue;
    if (!comment.doc) break;
    if (previousEnd > 0 && isTrailing(source, comment, previousEnd, start)) break;
    if (texts.length > 0 && hasBlankLine(source, comment.span.end, next)) break;
    texts.push(docText(source.slice(comment.span.start, comment.span.end)));
    next = comment.span.start;
  }
  return texts.length === 0 ? null : texts.toReversed().join('\n').trim();
}

/** True if `[from, to)`, which holds white space, has an empty line in it. */
export function hasBlankLine(source: string, from: number, to: number): boolean {
  return (source.slice(from, to).match(/\r\n?|\n/g)?.length ?? 0) > 1;
}

function docText(comment: string): string {
  if (comment.startsWith('///')) return comment.slice(3).trim();
  return comment
    .slice(3, -2)
    .split(/\r\n?|\n/)
    .map((line, index) => (index === 0 ? line : withoutStar(line)).trimEnd())
    .join('\n')
    .trim();
}

/** A line of a block comment without the star it may start with. */
function withoutStar(line: string): string {
  const text = line.trimStart();
  if (!text.startsWith('*')) return text;
  return text.slice(text.startsWith('* ') ? 2 : 1);
}
