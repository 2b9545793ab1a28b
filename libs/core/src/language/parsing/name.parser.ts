import { takeText } from './text.parser.js';
import type { NameNode } from '../syntax-tree.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

/** A key before `=` or `:`: a word or a string. The caller has seen that one stands there. */
export function parseKey(stream: TokenStream): NameNode {
  const span = stream.span();
  if (stream.at(Token.String)) return { text: takeText(stream, 1), span };
  const text = stream.text();
  stream.take();
  return { text, span };
}

/**
 * The name of an agent, tool or operator in its header: a word, a string, or words, numbers and `-` without white space
 * between (an expression's `a-b` is a subtraction; here nothing can be subtracted). `.` too, if `dotted`.
 */
export function parseHeaderName(stream: TokenStream, of: string, dotted = false): NameNode {
  if (stream.at(Token.String)) return parseKey(stream);
  const start = stream.start();
  if (!stream.at(Token.Name) && !stream.at(Token.Number)) {
    stream.missing('expected-name', `Expected the name of ${of}`);
    return { text: '', span: { start: stream.previousEnd(), end: stream.previousEnd() } };
  }
  do stream.take();
  while (stream.isAttached() && isNamePart(stream, dotted));
  const span = stream.spanFrom(start);
  return { text: stream.source.slice(span.start, span.end), span };
}

function isNamePart(stream: TokenStream, dotted: boolean): boolean {
  const kind = stream.kind();
  if (kind === Token.Dot) return dotted;
  return kind === Token.Name || kind === Token.Number || kind === Token.Minus;
}
