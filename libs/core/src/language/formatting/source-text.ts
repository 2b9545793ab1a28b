import { commentsBetween, hasComment, type Comment } from '../comment.js';
import type { ExpressionNode, Span } from '../syntax-tree.js';

/** A source text with its comments, as the formatter asks of it. */
export class SourceText {
  readonly text: string;
  readonly comments: readonly Comment[];

  constructor(text: string, comments: readonly Comment[]) {
    this.text = text;
    this.comments = comments;
  }

  slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  hasComment(from: number, to: number): boolean {
    return hasComment(this.comments, from, to);
  }

  /** Where `sign` stands first from an offset on, comments left out. It must be there. */
  find(sign: string, from: number): number {
    const at = this.text.indexOf(sign, from);
    const comment = commentsBetween(this.comments, from, at).at(-1);
    return comment && comment.span.end > at ? this.find(sign, comment.span.end) : at;
  }

  /** The stretch of an expression without parentheses around it; undefined if there are some, and a comment in them. */
  withoutParens(node: ExpressionNode): Span | undefined {
    const { start, end } = node.span;
    const first = leftmost(node)?.span.start ?? end;
    let inner = start;
    let parens = 0;
    for (; inner < first && /[\s(\uFEFF]/.test(this.text.charAt(inner)); inner++) {
      if (this.text[inner] === '(') parens++;
    }
    if (parens === 0) return node.span;
    if (this.hasComment(start, end)) return undefined;
    let innerEnd = end;
    for (let closed = 0; closed < parens;) if (this.text[--innerEnd] === ')') closed++;
    while (/[\s\uFEFF]/.test(this.text.charAt(innerEnd - 1))) innerEnd--;
    return { start: inner, end: innerEnd };
  }
}

/** The expression another one starts with. */
function leftmost(node: ExpressionNode): ExpressionNode | undefined {
  switch (node.kind) {
    case 'binary':
      return node.left;
    case 'member':
    case 'index':
      return node.object;
    case 'call':
      return node.callee;
    case 'conditional':
      return node.test;
    default:
      return undefined;
  }
}
