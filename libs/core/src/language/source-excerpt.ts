import type { LineMap } from './line-map.js';
import type { Span } from './syntax-tree.js';
import { columnsOf, visible } from './visible-text.js';

/** Longest piece of a line that is shown, in UTF-16 code units. */
const WIDTH = 100;
/** What is shown of a longer line before its caret. */
const BEFORE = 40;

/** A line, cut around a span that starts in it, and the line to print below with `^` under the span. */
export function excerpt(
  lines: LineMap,
  line: number,
  span: Span,
): { readonly text: string; readonly marks: string } {
  const { start, end } = lines.lineSpan(line);
  const at = Math.min(Math.max(span.start, start), end);
  const isLong = end - start > WIDTH;
  const from = isLong ? Math.max(start, Math.min(at - BEFORE, end - WIDTH)) : start;
  const to = isLong ? Math.min(end, from + WIDTH) : end;
  const cut = (a: number, b: number): string => visible(lines.source.slice(a, b));
  const before = `${from > start ? '…' : ''}${cut(from, at)}`;
  const marked = cut(at, Math.max(at, Math.min(span.end, to)));
  const after = `${cut(Math.max(at, Math.min(span.end, to)), to)}${to < end ? '…' : ''}`;
  return { text: before + marked + after, marks: blank(before) + '^'.repeat(Math.max(1, width(marked))) };
}

/** White space as wide as the text; tabs stay, as a terminal sets them the same way on both lines. */
function blank(text: string): string {
  return Array.from(text, (character) =>
    character === '\t' ? character : ' '.repeat(columnsOf(character)),
  ).join('');
}

function width(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columnsOf(character), 0);
}
