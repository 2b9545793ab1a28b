import { closerOf, isCloser } from './bracket-pairs.js';
import { startsValue } from './item-start.js';
import type { TokenStream } from './token-stream.js';
import { Token } from '../lexing/token.js';

export interface ListRules {
  /** True if elements may follow each other without a comma. */
  readonly commasOptional: boolean;
  /** Says where the list cannot go on, though it is not closed. */
  readonly stop: () => boolean;
  /** What one element is called in messages, such as `a value`. */
  readonly element: string;
}

/**
 * Reads the elements of a bracketed list whose bracket, at index `open`, has been taken, up to and with the closing
 * one. `element` reads one; if it takes no token, it has told why.
 */
export function parseList(stream: TokenStream, open: number, rules: ListRules, element: () => void): void {
  const close = closerOf(stream.lexed.tokens.kind(open));
  for (;;) {
    if (stream.accept(close)) return;
    if (isSpareCloser(stream, open)) {
      stream.problemHere('unexpected-token', `This "${stream.text()}" closes nothing.`, {
        hint: 'remove it',
      });
      stream.take();
      stream.accept(Token.Comma);
      continue;
    }
    if (stream.at(Token.End) || isCloser(stream.kind()) || rules.stop()) return closeWithout(stream, open);
    if (stream.at(Token.Comma)) {
      stream.missing('expected-value', `Expected ${rules.element}`);
      stream.take();
      continue;
    }
    parseElement(stream, open, rules, element);
  }
}

function parseElement(stream: TokenStream, open: number, rules: ListRules, element: () => void): void {
  const before = stream.position;
  element();
  if (stream.accept(Token.Comma) || stream.at(Token.End) || isCloser(stream.kind()) || rules.stop()) return;
  if (stream.position > before && startsValue(stream)) {
    if (!rules.commasOptional)
      stream.missing('expected-comma', `Expected "," before the next ${rules.element.replace(/^an? /, '')}`);
    return;
  }
  if (stream.position > before) {
    if (stream.closing(open) === -1) tellUnclosed(stream, open);
    else stream.missing('unexpected-token', `Expected "," or the end of the list`);
  }
  stream.skipPast(() => stream.at(Token.Comma) || isCloser(stream.kind()) || rules.stop());
  stream.accept(Token.Comma);
}

/** Takes the bracket that closes the one at `open`; what stands before it is told and passed. */
export function parseClosing(stream: TokenStream, open: number, stop: () => boolean): void {
  const close = closerOf(stream.lexed.tokens.kind(open));
  const ends = (): boolean => isCloser(stream.kind()) || stop();
  if (stream.accept(close)) return;
  if (!stream.at(Token.End) && !ends()) {
    stream.missing('unexpected-token', `Expected "${closingText(stream, open)}"`);
    stream.skipPast(ends);
  }
  if (!stream.accept(close)) closeWithout(stream, open);
}

/** True at `)` or `]` that closes nothing, in a list that is closed later. */
function isSpareCloser(stream: TokenStream, open: number): boolean {
  return isUnpaired(stream) && stream.closing(open) > stream.position;
}

function isUnpaired(stream: TokenStream): boolean {
  const isWeak = stream.at(Token.CloseParen) || stream.at(Token.CloseBracket);
  return isWeak && stream.closing(stream.position) === -1;
}

/** A closing bracket of the wrong kind that closes nothing else is taken for the right one. */
function closeWithout(stream: TokenStream, open: number): void {
  const isWrongKind = isUnpaired(stream);
  tellUnclosed(stream, open);
  if (isWrongKind) stream.take();
}

function tellUnclosed(stream: TokenStream, open: number): void {
  const { tokens } = stream.lexed;
  const span = { start: tokens.start(open), end: tokens.end(open) };
  const opener = stream.source.slice(span.start, span.end);
  const expected = `This "${opener}" is not closed: expected "${closingText(stream, open)}"`;
  stream.missing('unclosed-bracket', expected, { related: [{ message: 'opened here', span }] });
}

function closingText(stream: TokenStream, open: number): string {
  const kind = stream.lexed.tokens.kind(open);
  if (kind === Token.OpenBrace) return '}';
  return kind === Token.OpenParen ? ')' : ']';
}
