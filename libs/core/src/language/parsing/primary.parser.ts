import type { ExpressionContext } from './expression.context.js';
import {
  isOperandBeforeEqual,
  startsAgent,
  startsAssignment,
  startsTool,
  startsValue,
} from './item-start.js';
import { parseClosing, parseList } from './list.parser.js';
import { readNumber } from '../lexing/number-literal.js';
import { parseObject } from './object.parser.js';
import { quoted } from './quoted.js';
import { rawText } from '../lexing/string-literal.js';
import type { BrokenNode, ExpressionNode, LiteralNode, Span } from '../syntax-tree.js';
import { parseTemplate } from './template.parser.js';
import { takeText } from './text.parser.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';
import { parseWhen, tellBareSubject } from './when.parser.js';

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Reads a literal, a name, or something in brackets. */
export function parsePrimary(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  const { start, end } = stream.span();
  if (context.stops() && !isOperandBeforeEqual(stream)) return missingValue(stream);
  switch (stream.kind()) {
    case Token.Name:
      return parseWord(context);
    case Token.Number:
      return parseNumber(stream);
    case Token.String:
      return literal(takeText(stream, 1), start, end);
    case Token.RawString:
      stream.take();
      return literal(rawText(stream.source, start, end), start, end);
    case Token.TemplateHead:
      return context.inside(stream.position, () => parseTemplate(stream, () => context.element()));
    case Token.OpenParen:
      return { ...parseBracketed(context), span: stream.spanFrom(start) };
    case Token.OpenBracket:
      return parseArray(context);
    case Token.OpenBrace:
      return parseObject(context);
    case Token.Broken:
      stream.take();
      return { kind: 'broken', span: { start, end } };
    default:
      return missingValue(stream);
  }
}

/** Reads one expression in brackets, the brackets included. */
export function parseBracketed(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  const open = stream.take();
  return context.inside(open, () => {
    const node = context.element();
    parseClosing(stream, open, () => context.stops());
    return node;
  });
}

function parseWord(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  const { start, end } = stream.span();
  const name = stream.text();
  if (isWhen(stream)) return parseWhen(context);
  stream.take();
  const value = WORDS.get(name);
  return value === undefined ? { kind: 'variable', name, span: { start, end } } : literal(value, start, end);
}

/** `when` is a variable where an operator, `-`, `[` or something else of the body follows. */
function isWhen(stream: TokenStream): boolean {
  if (!stream.atWord('when') || !startsValue(stream, 1)) return false;
  if (stream.at(Token.Minus, 1) || stream.at(Token.OpenBracket, 1)) return tellBareSubject(stream);
  return !startsAssignment(stream, 1) && !startsTool(stream, 1) && !startsAgent(stream, 1);
}

function parseNumber(stream: TokenStream): ExpressionNode {
  const span = stream.span();
  const reading = readNumber(stream.text());
  stream.take();
  if ('problem' in reading) {
    const hint = hintOf(stream, span);
    stream.problem('invalid-number', span, reading.problem, { hint });
    return { kind: 'broken', span };
  }
  return { kind: 'literal', value: reading.value, duration: reading.duration, span };
}

/** `gpt-4o` is a text without its quotes. */
function hintOf(stream: TokenStream, { start, end }: Span): string {
  const before = /[\p{L}_][\p{L}\p{N}_.-]{0,40}$/u.exec(stream.source.slice(Math.max(0, start - 42), start));
  if (before) return `texts stand in quotes: ${quoted(before[0] + stream.source.slice(start, end))}`;
  return 'numbers are 12, 0.7 and 2e3; durations are 25ms, 3s, 15m, 72h and 30d';
}

function parseArray(context: ExpressionContext): ExpressionNode {
  const { stream } = context;
  const start = stream.start();
  const open = stream.take();
  const rules = { commasOptional: false, stop: () => context.stops(), element: 'a value' };
  const items: ExpressionNode[] = [];
  context.inside(open, () => parseList(stream, open, rules, () => items.push(context.element())));
  return { kind: 'array', items, span: stream.spanFrom(start) };
}

function literal(value: LiteralNode['value'], start: number, end: number): LiteralNode {
  return { kind: 'literal', value, duration: false, span: { start, end } };
}

function missingValue(stream: TokenStream): BrokenNode {
  const previous = stream.position > 0 ? ` after ${quoted(stream.text(-1))}` : '';
  stream.missing('expected-value', `Expected a value${previous}`);
  return { kind: 'broken', span: stream.spanFrom(stream.previousEnd()) };
}
