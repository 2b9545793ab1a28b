import { nameEnd } from './lexing/characters.js';
import { precedenceOf } from './parsing/operators.js';
import type {
  CallNode,
  ExpressionNode,
  IndexNode,
  LiteralNode,
  ObjectNode,
  TemplateNode,
  WhenNode,
} from './syntax-tree.js';

/** How tight what is written must bind, so as to need no parentheses where it stands. */
const LOOSEST = 0;
const OPERAND = 8;
const POSTFIX = 9;

const DURATIONS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/**
 * An expression on one line, with the parentheses it needs and no others: the same for all that are read as the same
 * tree, however they are laid out. Reading it gives that tree again.
 */
export function canonicalText(node: ExpressionNode): string {
  const out: string[] = [];
  new Writer(out).write(node, LOOSEST);
  return out.join('');
}

class Writer {
  readonly #out: string[];

  /** @param out where the pieces go: one list, as texts joined at each level would be copied at each level. */
  constructor(out: string[]) {
    this.#out = out;
  }

  write(node: ExpressionNode, least: number): void {
    const needsParens = tightness(node) < least;
    if (needsParens) this.#out.push('(');
    this.#inner(node);
    if (needsParens) this.#out.push(')');
  }

  #inner(node: ExpressionNode): void {
    switch (node.kind) {
      case 'literal':
        return this.#text(literalText(node));
      case 'template':
        return this.#template(node);
      case 'array':
        return this.#list('[', node.items, ']');
      case 'object':
        return this.#object(node);
      case 'variable':
        return this.#text(node.name);
      case 'member':
        this.write(node.object, POSTFIX);
        return this.#text(`${node.optional ? '?.' : '.'}${node.property.text}`);
      case 'index':
        return this.#index(node);
      case 'call':
        return this.#call(node);
      case 'lambda':
        this.#text(`${node.parameter.text} -> `);
        return this.write(node.body, LOOSEST);
      case 'unary':
        this.#text(node.operator);
        return this.write(node.operand, OPERAND);
      case 'binary':
        this.write(node.left, precedenceOf(node.operator));
        this.#text(` ${node.operator} `);
        return this.write(node.right, precedenceOf(node.operator) + 1);
      case 'conditional':
        this.write(node.test, LOOSEST + 1);
        this.#text(' ? ');
        this.write(node.then, LOOSEST);
        this.#text(' : ');
        return this.write(node.otherwise, LOOSEST);
      case 'when':
        return this.#when(node);
      default:
    }
  }

  #text(text: string): void {
    this.#out.push(text);
  }

  #list(open: string, items: readonly ExpressionNode[], close: string): void {
    this.#text(open);
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#text(', ');
      this.write(item, LOOSEST);
    }
    this.#text(close);
  }

  #template({ parts }: TemplateNode): void {
    this.#text('"');
    for (const part of parts) {
      if (typeof part === 'string') this.#text(escaped(part));
      else {
        this.#text('${');
        this.write(part, LOOSEST);
        this.#text('}');
      }
    }
    this.#text('"');
  }

  #object({ entries }: ObjectNode): void {
    if (entries.length === 0) return this.#text('{}');
    for (const [index, { key, value }] of entries.entries()) {
      this.#text(index === 0 ? '{ ' : ', ');
      this.#text(isWord(key.text) ? key.text : `"${escaped(key.text)}"`);
      this.#text(': ');
      this.write(value, LOOSEST);
    }
    this.#text(' }');
  }

  #index({ object, index, optional }: IndexNode): void {
    this.write(object, POSTFIX);
    this.#text(optional ? '?[' : '[');
    this.write(index, LOOSEST);
    this.#text(']');
  }

  #call({ callee, arguments: given }: CallNode): void {
    this.write(callee, POSTFIX);
    this.#list('(', given, ')');
  }

  #when({ subject, branches, otherwise }: WhenNode): void {
    this.#text('when ');
    this.write(subject, startsWithBracket(subject) ? POSTFIX + 1 : LOOSEST);
    if (branches.length === 0 && !otherwise) return this.#text(' {}');
    for (const [index, { pattern, value }] of branches.entries()) {
      this.#text(index === 0 ? ' { ' : ', ');
      this.write(pattern, isKeyword(pattern) ? POSTFIX + 1 : LOOSEST);
      this.#text(' -> ');
      this.write(value, LOOSEST);
    }
    if (otherwise) {
      this.#text(branches.length === 0 ? ' { otherwise -> ' : ', otherwise -> ');
      this.write(otherwise, LOOSEST);
    }
    this.#text(' }');
  }
}

/** A `when` of its own is as tight as a name; only where a bracket could be taken for its branches is it not. */
function tightness(node: ExpressionNode): number {
  switch (node.kind) {
    case 'conditional':
    case 'lambda':
      return LOOSEST;
    case 'binary':
      return precedenceOf(node.operator);
    case 'unary':
      return OPERAND;
    case 'variable':
      return node.name === 'when' ? LOOSEST - 1 : POSTFIX;
    default:
      return POSTFIX;
  }
}

/** True where a subject would be taken for the branches of its `when`, or `when` for a variable. */
function startsWithBracket(node: ExpressionNode): boolean {
  let first = node;
  for (;;) {
    switch (first.kind) {
      case 'array':
      case 'object':
        return true;
      case 'unary':
        return first.operator === '-';
      case 'binary':
        first = first.left;
        break;
      case 'conditional':
        first = first.test;
        break;
      case 'member':
      case 'index':
        first = first.object;
        break;
      case 'call':
        first = first.callee;
        break;
      default:
        return false;
    }
  }
}

function isKeyword(node: ExpressionNode): boolean {
  return node.kind === 'variable' && node.name === 'otherwise';
}

function literalText({ value, duration }: LiteralNode): string {
  if (typeof value === 'string') return `"${escaped(value)}"`;
  if (typeof value !== 'number') return String(value);
  if (duration) return durationText(value);
  // Digits alone are read exactly, or not at all.
  return value > Number.MAX_SAFE_INTEGER ? value.toExponential() : String(value);
}

function durationText(ms: number): string {
  const [unit, length] = DURATIONS.find(([, size]) => ms > 0 && ms % size === 0) ?? ['ms', 1];
  return `${ms / length}${unit}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** A text as it stands between quotes. A `$` that could begin an expression is escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\"\p{Cc}]/gu, (one) => ESCAPES[one] ?? `\\u{${one.charCodeAt(0).toString(16)}}`)
    .replaceAll(/\$(?=\{|$)/g, '\\$');
}

function isWord(text: string): boolean {
  return text !== '' && nameEnd(text, 0) === text.length;
}
