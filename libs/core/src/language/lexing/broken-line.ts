import type { Span } from '../syntax-tree.js';
import { isLineBreak } from './characters.js';
import { Token, type TokenList } from './token.js';
import { unclosedStringEnd } from './unclosed-string.js';

/** A quote of a line. */
export interface Quote {
  readonly at: number;
  readonly isOpening: boolean;
  /** Of a closing one: where its string begins, if nothing but text is in it. */
  readonly opening?: number;
}

/** What is broken on a line with an odd number of quotes. */
export interface BrokenText extends Span {
  /** Which quote is missing; `line` if the text goes on on a later line. */
  readonly missing: 'opening' | 'closing' | 'line';
}

/** Where a text ends that a forgotten quote does not end. */
const TEXT_END = /\|\||&&|[=!]=|\?\?|->|[)\]},]/g;
/** What may stand before a text: no word, and no sign that ends a sentence. */
const BEFORE_TEXT = /^[\s([{,:=<>|&+*/%?-]?$/u;
const AFTER_TEXT = /^[\s)\]},:=<>|&+*/%?.!-]?$/u;
/** A line that begins something else. */
const NEXT_LINE = /[\r\n][^\S\r\n]*(?:[\p{L}\p{N}_-]+[^\S\r\n]*[={:]|(?:tool|agent|stream)[^\S\r\n]|[}\]/])/u;
/** Characters on later lines in which the end of a text is looked for. */
const MOST_CHARACTERS = 20_000;

/**
 * Finds the text that misses a quote, by how the quotes stand: an opening one that touches the word before it, and none
 * behind it, is a closing one, and the other way round.
 * @param from where the line begins, or what of it is left
 * @param quotes those of the line, in their order
 */
export function brokenText(source: string, from: number, quotes: readonly Quote[]): BrokenText {
  for (const [index, quote] of quotes.entries()) {
    if (quote.isOpening && looksClosing(source, quote.at)) {
      const before = quotes[index - 1];
      const start = textStart(source, before ? before.at + 1 : from, quote.at);
      return { start, end: quote.at + 1, missing: 'opening' };
    }
    const { opening } = quote;
    if (opening !== undefined && looksOpening(source, quote.at)) {
      const end = textEnd(source, opening + 1, quote.at);
      return { start: opening, end: end ?? unclosedStringEnd(source, opening), missing: 'closing' };
    }
  }
  const start = quotes.at(-1)?.at ?? from;
  const end = unclosedStringEnd(source, start);
  const later = endOnLaterLine(source, end);
  return later === undefined ? { start, end, missing: 'closing' } : { start, end: later, missing: 'line' };
}

/** The quotes from an offset on, up to that of a string that is not closed. */
export function quotesOf(tokens: TokenList, from: number, unclosed: number): Quote[] {
  const quotes: Quote[] = [{ at: unclosed, isOpening: true }];
  for (let index = tokens.length - 1; index >= 0 && tokens.start(index) >= from; index--) {
    const [start, end, kind] = [tokens.start(index), tokens.end(index), tokens.kind(index)];
    if (start >= unclosed) continue;
    if (kind === Token.String) quotes.push({ at: end - 1, isOpening: false, opening: start });
    if (kind === Token.TemplateTail) quotes.push({ at: end - 1, isOpening: false });
    if (kind === Token.String || kind === Token.TemplateHead) quotes.push({ at: start, isOpening: true });
  }
  return quotes.toReversed();
}

/** Where the line of an offset begins. */
export function lineStart(source: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isLineBreak(source.charCodeAt(start - 1))) start--;
  return start;
}

function looksClosing(source: string, at: number): boolean {
  return !BEFORE_TEXT.test(source.charAt(at - 1)) && AFTER_TEXT.test(source.charAt(at + 1));
}

function looksOpening(source: string, at: number): boolean {
  return BEFORE_TEXT.test(source.charAt(at - 1)) && !AFTER_TEXT.test(source.charAt(at + 1));
}

/** Back to `=` where words stand side by side as in a sentence, else to the nearest sign before. */
function textStart(source: string, from: number, end: number): number {
  const before = source.slice(from, end);
  const [assigned = ''] = /^\s*(?:\S+\s*\{\s*)?[\p{L}\p{N}_-]+\s*=\s*/u.exec(before) ?? [];
  const text = before.slice(assigned.length);
  const isSentence = /[\p{L}\p{N}'’,](?<!\b(?:when|otherwise))\s+(?!otherwise\b)[\p{L}\p{N}]/u.test(text);
  if (assigned !== '' && isSentence && isBalanced(text)) return from + assigned.length;
  const sign = /.*(?:[([,:=<>|&+?]|(?<!\$)\{)\s*/su.exec(before) ?? /.*\s/su.exec(before);
  return from + (sign?.[0].length ?? 0);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth < 0) return false;
  }
  return depth === 0;
}

/** Where a text that should end before `limit` does; undefined if nothing tells. */
function textEnd(source: string, from: number, limit: number): number | undefined {
  TEXT_END.lastIndex = from;
  const found = TEXT_END.exec(source);
  if (!found || found.index === from || found.index >= limit) return undefined;
  return from + source.slice(from, found.index).trimEnd().length;
}

/** The end of a text that goes on after its line: a quote behind words, before anything else begins. */
function endOnLaterLine(source: string, lineEnd: number): number | undefined {
  const end = Math.min(source.length, lineEnd + MOST_CHARACTERS);
  if (!isLineBreak(source.charCodeAt(lineEnd))) return undefined;
  const quote = source.indexOf('"', lineEnd);
  if (quote === -1 || quote >= end || source.startsWith('""', quote) || !looksClosing(source, quote))
    return undefined;
  const between = source.slice(lineEnd, quote);
  return NEXT_LINE.test(between) ? undefined : quote + 1;
}
