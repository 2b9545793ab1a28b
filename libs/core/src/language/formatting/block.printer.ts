import { hasLineBreak } from '../comment.js';
import { ExpressionPrinter, WIDTH } from './expression.printer.js';
import { INDENT, printLines, type Entry } from './lines.printer.js';
import type { SourceText } from './source-text.js';
import type { AgentNode, AssignmentNode, InputNode, Span, SourceFile, ToolNode } from '../syntax-tree.js';

/** Prints a file that has no errors. */
export function printFile(file: SourceFile, source: SourceText): string {
  return new BlockPrinter(source).file(file);
}

class BlockPrinter {
  readonly #source: SourceText;
  readonly #expressions: ExpressionPrinter;

  constructor(source: SourceText) {
    this.#source = source;
    this.#expressions = new ExpressionPrinter(source);
  }

  file(file: SourceFile): string {
    const layout = { from: 0, to: file.span.end, indent: 0, separator: '', apart: true } as const;
    const { text } = printLines(
      this.#source,
      file.agents.map((agent) => this.#entry(agent)),
      layout,
    );
    return text.replaceAll(/\r\n?/g, '\n');
  }

  #entry(node: AgentNode | ToolNode | InputNode | AssignmentNode): Entry {
    return { span: node.span, print: (indent) => this.#print(node, indent) };
  }

  #print(node: AgentNode | ToolNode | InputNode | AssignmentNode, indent: number): string {
    switch (node.kind) {
      case 'agent': {
        const header = `${node.streaming ? 'stream ' : ''}agent ${this.#source.slice(node.name.span)}`;
        return this.#block(header, node.span, node.name.span.end, node.body, indent);
      }
      case 'tool': {
        const header = `tool ${this.#source.slice(node.name.span)} : ${this.#source.slice(node.operator.span)}`;
        return this.#block(header, node.span, node.operator.span.end, node.body, indent);
      }
      case 'input':
        return (
          this.#shortInput(node, indent) ??
          this.#block('input', node.span, node.span.start, node.assignments, indent)
        );
      default:
        return this.#expressions.labelled(node.key.span, ' = ', node.value, indent);
    }
  }

  /** A block whose `{` stands after `headerEnd`. A header with comments in it is left as it is. */
  #block(
    header: string,
    span: Span,
    headerEnd: number,
    body: readonly (ToolNode | InputNode | AssignmentNode)[],
    indent: number,
  ): string {
    const open = this.#source.find('{', headerEnd);
    const hasComment = this.#source.hasComment(span.start, open);
    const start = hasComment ? this.#source.slice({ start: span.start, end: open }) : `${header} `;
    const layout = { from: open + 1, to: span.end - 1, indent: indent + 1, separator: '' } as const;
    const { head, text } = printLines(
      this.#source,
      body.map((node) => this.#entry(node)),
      layout,
    );
    const inside = head === '' && text === '' ? '' : `${head}\n${text}${INDENT.repeat(indent)}`;
    return `${start}{${inside}}`;
  }

  /** An input that stands on one line and fits there; else undefined. */
  #shortInput({ span, assignments }: InputNode, indent: number): string | undefined {
    const { text } = this.#source;
    if (hasLineBreak(text, span.start, span.end) || this.#source.hasComment(span.start, span.end))
      return undefined;
    const flat = assignments.map(
      ({ key, value }) => `${this.#source.slice(key.span)} = ${this.#expressions.flat(value)}`,
    );
    const line = flat.length === 0 ? 'input {}' : `input { ${flat.join(', ')} }`;
    return indent * INDENT.length + line.length <= WIDTH ? line : undefined;
  }
}
