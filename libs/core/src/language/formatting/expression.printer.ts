import { FlatPrinter } from './flat.printer.js';
import { INDENT, printLines, type Entry } from './lines.printer.js';
import { precedenceOf } from '../parsing/operators.js';
import type { SourceText } from './source-text.js';
import type {
  ArrayNode,
  BinaryNode,
  CallNode,
  ExpressionNode,
  ObjectNode,
  Span,
  WhenNode,
} from '../syntax-tree.js';
import { children } from '../parsing/tree-height.js';

/** Longest line that is not broken where it can be. */
export const WIDTH = 100;

const OTHERWISE = 'otherwise';

/**
 * Prints expressions: on one line if they fit and no list in them was begun on a new line, else lists and chains of
 * operators are broken. Parentheses stay as they are written, and strings and numbers too. An expression with a comment
 * in a place where no line of a list begins or ends is left as it is.
 */
export class ExpressionPrinter {
  readonly #source: SourceText;
  readonly #flat: FlatPrinter;

  constructor(source: SourceText) {
    this.#source = source;
    this.#flat = new FlatPrinter(source);
  }

  /** The expression on one line, or undefined if it must be broken. */
  flat(node: ExpressionNode): string | undefined {
    return this.#flat.print(node);
  }

  /** The expression from a column on; further lines have the indentation or more. */
  print(node: ExpressionNode, indent: number, column: number): string {
    const flat = this.#flat.print(node);
    if (flat !== undefined && column + flat.length <= WIDTH) return flat;
    const inner = this.#source.withoutParens(node);
    if (!inner) return this.#source.slice(node.span);
    if (inner.start === node.span.start) return this.#broken(node, node.span, indent, column);
    return `(${this.#broken(node, inner, indent, column + 1)})`;
  }

  #broken(node: ExpressionNode, span: Span, indent: number, column: number): string {
    if (this.#hasLooseComment(node, span)) return this.#source.slice(span);
    const print = (child: ExpressionNode): string => this.print(child, indent, column);
    switch (node.kind) {
      case 'array':
      case 'object':
      case 'call':
      case 'when':
        return this.#bracketed(node, span, indent, column);
      case 'lambda':
        return `${node.parameter.text} -> ${print(node.body)}`;
      case 'member':
        return `${print(node.object)}${node.optional ? '?.' : '.'}${node.property.text}`;
      case 'index':
        return `${print(node.object)}${node.optional ? '?[' : '['}${print(node.index)}]`;
      case 'unary':
        return `${node.operator}${print(node.operand)}`;
      case 'binary':
        return this.#chain(node, indent, column);
      case 'conditional': {
        const then = this.#continued('?', node.then, indent + 1);
        return print(node.test) + then + this.#continued(':', node.otherwise, indent + 1);
      }
      default:
        return this.#source.slice(span);
    }
  }

  #bracketed(
    node: ArrayNode | ObjectNode | CallNode | WhenNode,
    { start, end }: Span,
    indent: number,
    column: number,
  ): string {
    switch (node.kind) {
      case 'array':
        return `[${this.#list(this.#entries(node.items), start, end, indent)}]`;
      case 'object':
        return `{${this.#list(this.#objectEntries(node), start, end, indent)}}`;
      case 'call': {
        const open = this.#source.find('(', node.callee.span.end);
        const list = this.#list(this.#entries(node.arguments), open, end, indent);
        return `${this.print(node.callee, indent, column)}(${list})`;
      }
      default: {
        const open = this.#source.find('{', node.subject.span.end);
        const list = this.#list(this.#branches(node, open), open, end, indent);
        return `when ${this.print(node.subject, indent, column)} {${list}}`;
      }
    }
  }

  /** What stands between the brackets at `open` and before `end`. */
  #list(entries: readonly Entry[], open: number, end: number, indent: number): string {
    const layout = { from: open + 1, to: end - 1, indent: indent + 1, separator: ',' } as const;
    const { head, text } = printLines(this.#source, entries, layout);
    return head === '' && text === '' ? '' : `${head}\n${text}${INDENT.repeat(indent)}`;
  }

  #entries(nodes: readonly ExpressionNode[]): Entry[] {
    return nodes.map((node) => ({
      span: node.span,
      print: (indent) => this.print(node, indent, columnAt(indent)),
    }));
  }

  #objectEntries(node: ObjectNode): Entry[] {
    return node.entries.map(({ key, value }) => ({
      span: { start: key.span.start, end: value.span.end },
      print: (indent) => this.labelled(key.span, ': ', value, indent),
    }));
  }

  #branches(node: WhenNode, open: number): Entry[] {
    const entries: Entry[] = node.branches.map(({ pattern, value }) => ({
      span: { start: pattern.span.start, end: value.span.end },
      print: (indent) => this.#branch(pattern, value, indent),
    }));
    if (!node.otherwise) return entries;
    const value = node.otherwise;
    const start = this.#source.find(OTHERWISE, entries.at(-1)?.span.end ?? open);
    const label = { start, end: start + OTHERWISE.length };
    const print = (indent: number): string => this.labelled(label, ' -> ', value, indent);
    return [...entries, { span: { start, end: value.span.end }, print }];
  }

  #branch(pattern: ExpressionNode, value: ExpressionNode, indent: number): string {
    if (this.#source.hasComment(pattern.span.end, value.span.start)) {
      return this.#source.slice({ start: pattern.span.start, end: value.span.end });
    }
    const label = `${this.print(pattern, indent, columnAt(indent))} -> `;
    return label + this.print(value, indent, columnAt(indent) + label.length);
  }

  /** `label: value`, `label = value` and the like, left as it is if there is a comment between. */
  labelled(label: Span, sign: string, value: ExpressionNode, indent: number): string {
    if (this.#source.hasComment(label.end, value.span.start)) {
      return this.#source.slice({ start: label.start, end: value.span.end });
    }
    const text = this.#source.slice(label) + sign;
    return text + this.print(value, indent, columnAt(indent) + text.length);
  }

  /** Operators of one precedence, each on a line with what follows it. */
  #chain(node: BinaryNode, indent: number, column: number): string {
    const links: string[] = [];
    let first: ExpressionNode = node;
    while (first.kind === 'binary' && (first === node || this.#continues(first, node))) {
      links.push(this.#continued(first.operator, first.right, indent + 1));
      first = first.left;
    }
    return this.print(first, indent, column) + links.toReversed().join('');
  }

  #continues(left: BinaryNode, node: BinaryNode): boolean {
    const hasParens = this.#source.withoutParens(left)?.start !== left.span.start;
    const isSameLevel = precedenceOf(left.operator) === precedenceOf(node.operator);
    return isSameLevel && !hasParens && !this.#hasLooseComment(left, left.span);
  }

  #continued(sign: string, node: ExpressionNode, indent: number): string {
    return `\n${INDENT.repeat(indent)}${sign} ${this.print(node, indent, columnAt(indent) + sign.length + 1)}`;
  }

  /** True if a comment stands in the expression, but neither in one of its parts nor in its list. */
  #hasLooseComment(node: ExpressionNode, span: Span): boolean {
    let at = span.start;
    for (const part of this.#parts(node, span)) {
      if (this.#source.hasComment(at, part.start)) return true;
      at = part.end;
    }
    return this.#source.hasComment(at, span.end);
  }

  #parts(node: ExpressionNode, span: Span): readonly Span[] {
    switch (node.kind) {
      case 'array':
      case 'object':
        return [span];
      case 'call':
        return [node.callee.span, { ...span, start: this.#source.find('(', node.callee.span.end) }];
      case 'when':
        return [node.subject.span, { ...span, start: this.#source.find('{', node.subject.span.end) }];
      default:
        return children(node).map((child) => child.span);
    }
  }
}

function columnAt(indent: number): number {
  return indent * INDENT.length;
}
