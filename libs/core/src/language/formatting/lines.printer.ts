import { commentsBetween, isTrailing, type Comment } from '../comment.js';
import { hasBlankLine } from '../doc-comment.js';
import type { SourceText } from './source-text.js';
import type { Span } from '../syntax-tree.js';

/** Something that takes lines of its own. */
export interface Entry {
  readonly span: Span;
  /** Its text; all lines but the first are indented already. */
  print(indent: number): string;
}

export interface LinesLayout {
  /** The stretch the entries and the comments stand in. */
  readonly from: number;
  readonly to: number;
  readonly indent: number;
  /** What stands between entries. */
  readonly separator: ',' | '';
  /** True to part entries by a blank line; else those of the source are kept, at most one. */
  readonly apart?: boolean;
}

export interface Lines {
  /** Comments that belong to the line before the first entry, each with a space before it. */
  readonly head: string;
  /** Indented lines, each ended by a line break. */
  readonly text: string;
}

export const INDENT = '  ';

/** Prints entries and the comments around them, one line or more each. */
export function printLines(source: SourceText, entries: readonly Entry[], layout: LinesLayout): Lines {
  const lines = new LineWriter(source, layout);
  let entryEnd = layout.from;
  for (const [index, entry] of entries.entries()) {
    lines.addComments(entryEnd, entry.span.start, layout.apart === true && index > 0);
    lines.add(entry.span, entry.print(layout.indent) + (index < entries.length - 1 ? layout.separator : ''));
    entryEnd = entry.span.end;
  }
  lines.addComments(entryEnd, layout.to, false);
  return lines.result();
}

class LineWriter {
  readonly #source: SourceText;
  readonly #prefix: string;
  readonly #lines: string[] = [];
  #head = '';
  #previousEnd: number;
  #isApart = false;

  constructor(source: SourceText, layout: LinesLayout) {
    this.#source = source;
    this.#prefix = INDENT.repeat(layout.indent);
    this.#previousEnd = layout.from;
  }

  add(span: Span, printed: string): void {
    const isFirst = this.#lines.length === 0;
    const isApart = this.#isApart || hasBlankLine(this.#source.text, this.#previousEnd, span.start);
    this.#lines.push(`${!isFirst && isApart ? '\n' : ''}${this.#prefix}${printed}`);
    this.#previousEnd = span.end;
    this.#isApart = false;
  }

  /** Adds the comments between two entries; `apart` asks for a blank line before what comes on a line of its own. */
  addComments(entryEnd: number, next: number, apart: boolean): void {
    this.#isApart = apart;
    for (const comment of commentsBetween(this.#source.comments, entryEnd, next)) {
      const printed = printComment(this.#source, comment, this.#prefix);
      if (entryEnd > 0 && isTrailing(this.#source.text, comment, entryEnd, next)) {
        const last = this.#lines.pop();
        if (last === undefined) this.#head += ` ${printed}`;
        else this.#lines.push(`${last} ${printed}`);
        this.#previousEnd = comment.span.end;
      } else this.add(comment.span, printed);
    }
  }

  result(): Lines {
    return { head: this.#head, text: this.#lines.map((line) => `${line}\n`).join('') };
  }
}

/** A comment; the lines of a block whose lines start with stars are put below each other. */
function printComment(source: SourceText, comment: Comment, prefix: string): string {
  const [first = '', ...others] = source.slice(comment.span).split(/\r\n?|\n/);
  const isStarred = others.every((line) => line.trimStart().startsWith('*'));
  const rest = others.map((line) => (isStarred ? `${prefix} ${line.trim()}` : line.trimEnd()));
  return [first.trimEnd(), ...rest].join('\n');
}
