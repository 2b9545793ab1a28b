import { isDigit, isSpace, nameEnd } from './characters.js';
import { Token, type TokenKind } from './token.js';

export interface SymbolReading {
  readonly kind: TokenKind;
  readonly length: number;
  readonly problem?: string;
  readonly hint?: string;
}

/** Symbols by their text. `Junk` and `Broken` never stand here. */
const SYMBOLS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['{', Token.OpenBrace],
  ['}', Token.CloseBrace],
  ['(', Token.OpenParen],
  [')', Token.CloseParen],
  ['[', Token.OpenBracket],
  [']', Token.CloseBracket],
  [',', Token.Comma],
  [':', Token.Colon],
  ['=', Token.Equal],
  ['->', Token.Arrow],
  ['.', Token.Dot],
  ['?.', Token.QuestionDot],
  ['?', Token.Question],
  ['!', Token.Bang],
  ['??', Token.Coalesce],
  ['||', Token.Or],
  ['&&', Token.And],
  ['==', Token.EqualEqual],
  ['!=', Token.BangEqual],
  ['<', Token.Less],
  ['<=', Token.LessEqual],
  ['>', Token.Greater],
  ['>=', Token.GreaterEqual],
  ['+', Token.Plus],
  ['-', Token.Minus],
  ['*', Token.Star],
  ['/', Token.Slash],
  ['%', Token.Percent],
]);

/** What people write from habit, with what is meant. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ['===', '=='],
  ['!==', '!='],
  ['=>', '->'],
  ['&', '&&'],
  ['|', '||'],
]);

interface OtherQuotes {
  readonly open: string;
  /** A closing one. */
  readonly close: RegExp;
  readonly hint: string;
}

const STRAIGHT = 'A string stands in straight double quotes.';

const QUOTES: readonly OtherQuotes[] = [
  // The apostrophe of a word closes nothing.
  { open: "'", close: /'(?![\p{L}\p{N}_'])/gu, hint: 'write "…"' },
  { open: '`', close: /`/g, hint: 'write "…", or """…""" for several lines' },
  ...['\u201C', '\u201D', '\u201E'].map((open) => ({ open, close: /["\u201C-\u201F]/g, hint: 'write "…"' })),
  ...['\u2018', '\u2019'].map((open) => ({
    open,
    close: /['\u2018-\u201B](?![\p{L}\p{N}_])/gu,
    hint: 'write "…"',
  })),
  { open: '\u00AB', close: /\u00BB/g, hint: 'write "…"' },
];

/** Symbols by the code of their only character, where no longer symbol starts with it. */
const SINGLE: readonly (SymbolReading | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const kind = SYMBOLS.get(character);
  const startsLonger = [...SYMBOLS.keys(), ...HABITS.keys()].some(
    (s) => s.length > 1 && s.startsWith(character),
  );
  return kind === undefined || startsLonger ? undefined : { kind, length: 1 };
});

/** Reads the symbol at `at`; characters that mean nothing are read together, as `Junk`. */
export function readSymbol(source: string, at: number): SymbolReading {
  const single = SINGLE[source.charCodeAt(at)];
  if (single) return single;
  for (const length of [3, 2, 1]) {
    const text = source.slice(at, at + length);
    const meant = HABITS.get(text);
    const kind = SYMBOLS.get(meant ?? text);
    if (kind === undefined || text.length < length || isConditionalBeforeFraction(source, at, kind)) continue;
    if (meant === undefined) return { kind, length };
    return { kind, length, problem: `"${text}" is no operator.`, hint: `write "${meant}"` };
  }
  return readJunk(source, at);
}

/** `a ?.5 : 1` is a conditional. */
function isConditionalBeforeFraction(source: string, at: number, kind: TokenKind): boolean {
  return kind === Token.QuestionDot && isDigit(source.charCodeAt(at + 2));
}

function readJunk(source: string, at: number): SymbolReading {
  const first = source[at];
  const quotes = QUOTES.find(({ open }) => open === first);
  if (quotes) return readOtherQuotes(source, at, quotes);
  if (first === '#') {
    return {
      kind: Token.Junk,
      length: lineEnd(source, at) - at,
      problem: '"#" starts no comment.',
      hint: 'write "//"',
    };
  }
  if (first === ';') {
    return {
      kind: Token.Junk,
      length: 1,
      problem: '";" has no meaning here.',
      hint: 'leave it out: nothing ends an assignment',
    };
  }
  let end = at;
  while (end < source.length && isJunk(source, end))
    end += String.fromCodePoint(source.codePointAt(end) ?? 0).length;
  const length = Math.max(end - at, 1);
  return { kind: Token.Junk, length, problem: `${shownCharacter(source, at)} has no meaning here.` };
}

/** A string in other quotes, up to the closing one on its line, or the end of the line if there is none. */
function readOtherQuotes(source: string, at: number, { close, hint }: OtherQuotes): SymbolReading {
  close.lastIndex = at + 1;
  const end = lineEnd(source, at);
  const found = close.exec(source);
  const isClosed = found !== null && found.index < end;
  if (!isClosed && source[at] === "'") return { kind: Token.Junk, length: 1, problem: STRAIGHT, hint };
  return { kind: Token.Broken, length: (isClosed ? found.index + 1 : end) - at, problem: STRAIGHT, hint };
}

function lineEnd(source: string, at: number): number {
  const lineBreak = /[\r\n]/g;
  lineBreak.lastIndex = at;
  return lineBreak.exec(source)?.index ?? source.length;
}

function isJunk(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  const character = source.charAt(at);
  if (code < 0x80) return !/[\w\s"'#;]/.test(character) && !SYMBOLS.has(character) && !HABITS.has(character);
  return !isSpace(code) && nameEnd(source, at) === at;
}

function shownCharacter(source: string, at: number): string {
  const code = source.codePointAt(at) ?? 0;
  const character = String.fromCodePoint(code);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)) return `"${character}"`;
  return `The character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
