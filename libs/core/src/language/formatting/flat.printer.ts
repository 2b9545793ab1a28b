import { hasLineBreak } from '../comment.js';
import type { SourceText } from './source-text.js';
import { children } from '../parsing/tree-height.js';
import type { CallNode, ExpressionNode, ObjectNode, Span, WhenNode } from '../syntax-tree.js';

/** Prints expressions on one line, each node once. */
export class FlatPrinter {
  readonly #source: SourceText;
  readonly #printed = new Map<ExpressionNode, string | undefined>();

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** Undefined if there is a comment or a line break in it, or a list whose first element stands on a new line. */
  print(node: ExpressionNode): string | undefined {
    if (!this.#printed.has(node)) this.#printed.set(node, this.#whole(node));
    return this.#printed.get(node);
  }

  #whole(node: ExpressionNode): string | undefined {
    const { start, end } = node.span;
    if (this.#source.hasComment(start, end)) return undefined;
    const span = this.#source.withoutParens(node);
    const inner = span && this.#inner(node, span);
    return inner === undefined || span?.start === start ? inner : `(${inner})`;
  }

  #inner(node: ExpressionNode, span: Span): string | undefined {
    switch (node.kind) {
      case 'literal':
      case 'template':
      case 'variable':
      case 'broken':
        return hasLineBreak(this.#source.text, span.start, span.end) ? undefined : this.#source.slice(span);
      case 'array':
        return this.#list(span.start, node.items[0]?.span, node.items, (items) => `[${items.join(', ')}]`);
      case 'object':
        return this.#object(node, span.start);
      case 'call':
        return this.#call(node);
      case 'when':
        return this.#when(node);
      default:
        return this.#all(children(node), ([first = '', second = '', third = '']) => {
          switch (node.kind) {
            case 'lambda':
              return `${node.parameter.text} -> ${first}`;
            case 'member':
              return `${first}${node.optional ? '?.' : '.'}${node.property.text}`;
            case 'index':
              return `${first}${node.optional ? '?[' : '['}${second}]`;
            case 'unary':
              return `${node.operator}${first}`;
            case 'binary':
              return `${first} ${node.operator} ${second}`;
            default:
              return `${first} ? ${second} : ${third}`;
          }
        });
    }
  }

  #object(node: ObjectNode, open: number): string | undefined {
    const values = node.entries.map(({ value }) => value);
    return this.#list(open, node.entries[0]?.key.span, values, (texts) => {
      const entries = texts.map(
        (text, n) => `${this.#source.slice(node.entries[n]?.key.span ?? node.span)}: ${text}`,
      );
      return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
    });
  }

  #call(node: CallNode): string | undefined {
    const open = this.#source.find('(', node.callee.span.end);
    const list = this.#list(
      open,
      node.arguments[0]?.span,
      node.arguments,
      (items) => `(${items.join(', ')})`,
    );
    return list === undefined ? undefined : this.#all([node.callee], ([callee]) => `${callee}${list}`);
  }

  #when(node: WhenNode): string | undefined {
    const open = this.#source.find('{', node.subject.span.end);
    const nodes = node.branches.flatMap(({ pattern, value }) => [pattern, value]);
    if (node.otherwise) nodes.push(node.otherwise);
    const list = this.#list(open, nodes[0]?.span, nodes, (texts) => {
      const branches = node.branches.map((_, n) => `${texts[2 * n]} -> ${texts[2 * n + 1]}`);
      if (node.otherwise) branches.push(`otherwise -> ${texts.at(-1)}`);
      return branches.length === 0 ? '{}' : `{ ${branches.join(', ')} }`;
    });
    return list === undefined
      ? undefined
      : this.#all([node.subject], ([subject]) => `when ${subject} ${list}`);
  }

  /** A list whose bracket stands at `open`, its first element at `first`. */
  #list(
    open: number,
    first: Span | undefined,
    nodes: readonly ExpressionNode[],
    join: (texts: readonly string[]) => string,
  ): string | undefined {
    return hasLineBreak(this.#source.text, open, first?.start ?? open) ? undefined : this.#all(nodes, join);
  }

  #all(nodes: readonly ExpressionNode[], join: (texts: readonly string[]) => string): string | undefined {
    const texts: string[] = [];
    for (const node of nodes) {
      const text = this.print(node);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    return join(texts);
  }
}
