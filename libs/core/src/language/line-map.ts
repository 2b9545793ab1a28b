/** A place as editors show it: both count from 1. A column is a UTF-16 code unit, as in VS Code's and LSP's positions. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines of a source text. They end at `\n`, `\r\n` or `\r`; a byte order mark at the start is no column. */
export class LineMap {
  readonly source: string;
  /** Where each line starts. */
  readonly #starts: number[];

  constructor(source: string) {
    this.source = source;
    this.#starts = [source.startsWith('\uFEFF') ? 1 : 0];
    for (const { index, 0: lineBreak } of source.matchAll(/\r\n?|\n/g)) {
      this.#starts.push(index + lineBreak.length);
    }
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The place of an offset; offsets outside the text count as its ends. */
  position(offset: number): Position {
    const line = this.#lineIndex(offset);
    const column = Math.min(offset, this.source.length) - (this.#starts[line] ?? 0) + 1;
    return { line: line + 1, column: Math.max(1, column) };
  }

  /** Where a line starts and where its text ends, its line break left out. `line` counts from 1. */
  lineSpan(line: number): { readonly start: number; readonly end: number } {
    const start = this.#starts[line - 1] ?? this.source.length;
    let end = this.#starts[line] ?? this.source.length;
    if (line < this.#starts.length) {
      end -= 1;
      if (this.source[end] === '\n' && this.source[end - 1] === '\r') end -= 1;
    }
    return { start, end };
  }

  #lineIndex(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
