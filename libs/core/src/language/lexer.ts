import { isDigit, isLineBreak, isSpace, nameEnd } from './lexing/characters.js';
import { brokenText, lineStart, quotesOf } from './lexing/broken-line.js';
import { LONG_COMMENT, OPEN_COMMENT, readComment } from './lexing/read-comment.js';
import type { Comment } from './comment.js';
import { MAX_DIAGNOSTICS, type Diagnostic } from './diagnostic.js';
import { numberEnd } from './lexing/number-literal.js';
import { readSymbol } from './lexing/symbols.js';
import { MAX_COMMENT, MAX_TOKENS } from './syntax-limits.js';
import { CLOSERS, CLOSING_QUOTE, LATER_QUOTE, OPENING_QUOTE, RAW_QUOTES } from './lexing/string-problems.js';
import { Token, TokenList, type TokenKind } from './lexing/token.js';
import { unclosedStringEnd } from './lexing/unclosed-string.js';
import type { Span } from './syntax-tree.js';

export interface LexerResult {
  readonly tokens: TokenList;
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
  /** True if what stands before the end cannot be judged: a comment or raw string is open, or the lexer gave up. */
  readonly cut: boolean;
}

/** Where a string opens. */
interface StringStart {
  readonly start: number;
}

/** An expression inside a string: its `${` has been read, its `}` has not. */
interface Interpolation {
  readonly string: StringStart;
  readonly start: number;
  /** `{` open in the expression. */
  braces: number;
}

const QUOTE = 34;
const DOLLAR = 36;
const BACKSLASH = 92;
const OPEN_BRACE = 123;

/** Cuts a source text into tokens, in time linear in its length. Never throws. */
export function tokenize(source: string): LexerResult {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: TokenList;
  #comments: Comment[] = [];
  #diagnostics: Diagnostic[] = [];
  readonly #open: Interpolation[] = [];
  #at = 0;
  #cut = false;
  /** Where the last text with a missing quote ends. */
  #brokenTo = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = new TokenList(Math.min(source.length, MAX_TOKENS) + 1);
  }

  run(): LexerResult {
    const { length } = this.#source;
    while (this.#at < length && !this.#isTooLong() && this.#diagnostics.length <= MAX_DIAGNOSTICS)
      this.#next();
    if (this.#at < length && this.#isTooLong()) this.#tellTooLong();
    const outermost = this.#open[0];
    if (outermost && this.#at === length) this.#unclosedInterpolation(outermost);
    this.#tokens.push(Token.End, length, length);
    const cut = this.#cut || this.#at < length;
    return { tokens: this.#tokens, comments: this.#comments, diagnostics: this.#diagnostics, cut };
  }

  #isTooLong(): boolean {
    return this.#tokens.length + this.#comments.length >= MAX_TOKENS;
  }

  #tellTooLong(): void {
    const message = `This file is too long: it has more than ${MAX_TOKENS} words, signs and comments.`;
    const span = { start: this.#at, end: this.#at };
    this.#tell('file-too-long', span, message, 'split it into several files');
  }

  #next(): void {
    const source = this.#source;
    const at = this.#at;
    const code = source.charCodeAt(at);
    if (isLineBreak(code)) this.#lineBreak();
    else if (isSpace(code)) this.#at++;
    else if (source.startsWith('//', at) || source.startsWith('/*', at)) this.#comment();
    else if (code === QUOTE) this.#string();
    else if (isDigit(code) || (code === 46 && isDigit(source.charCodeAt(at + 1)))) {
      this.#push(Token.Number, numberEnd(source, at));
    } else {
      const end = nameEnd(source, at);
      if (end > at) this.#push(Token.Name, end);
      else this.#symbol();
    }
  }

  #push(kind: TokenKind, end: number): void {
    this.#tokens.push(kind, this.#at, end);
    this.#at = end;
  }

  /** A `"…"` stands on one line, its expressions included; else one forgotten quote would swallow the file. */
  #lineBreak(): void {
    const outermost = this.#open[0];
    if (outermost) this.#unclosedInterpolation(outermost);
    else this.#at++;
  }

  #comment(): void {
    const start = this.#at;
    const comment = readComment(this.#source, start);
    this.#at = comment?.span.end ?? this.#source.length;
    this.#cut ||= !comment;
    if (!comment) return this.#unclosed('unclosed-comment', OPEN_COMMENT, start, 2);
    this.#comments.push(comment);
    if (comment.kind === 'line' || this.#at - start <= MAX_COMMENT) return;
    this.#tell('comment-too-long', { start, end: start + 2 }, LONG_COMMENT, 'move the text out of the file');
  }

  #string(): void {
    if (this.#source.startsWith(RAW_QUOTES, this.#at)) this.#rawString();
    else this.#text(Token.String, Token.TemplateHead, { start: this.#at });
  }

  #rawString(): void {
    const start = this.#at;
    let end = this.#source.indexOf(RAW_QUOTES, start + RAW_QUOTES.length);
    if (end === -1) {
      this.#push(Token.Broken, this.#source.length);
      return this.#unclosed('unclosed-string', 'This string is not closed: """ is missing.', start, 3);
    }
    end += RAW_QUOTES.length;
    while (this.#source.charCodeAt(end) === QUOTE) end++;
    this.#push(Token.RawString, end);
  }

  /** Reads a string's text from its quote, or from the `}` of an expression in it, to its end or its next `${`. */
  #text(whole: TokenKind, upToExpression: TokenKind, string: StringStart): void {
    const source = this.#source;
    for (let at = this.#at + 1; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code === QUOTE) return this.#push(whole, at + 1);
      if (isLineBreak(code)) break;
      if (code === BACKSLASH && !isLineBreak(source.charCodeAt(at + 1))) at++;
      else if (code === DOLLAR && source.charCodeAt(at + 1) === OPEN_BRACE) {
        this.#push(upToExpression, at + 2);
        this.#open.push({ string, start: at, braces: 0 });
        return;
      }
    }
    const outermost = this.#open[0];
    if (outermost) return this.#unclosedInterpolation(outermost);
    this.#breakLine(string);
  }

  #symbol(): void {
    const { kind, length, problem, hint } = readSymbol(this.#source, this.#at);
    const inner = this.#open.at(-1);
    if (inner && kind === Token.CloseBrace && inner.braces === 0) {
      this.#open.pop();
      return this.#text(Token.TemplateTail, Token.TemplateMiddle, inner.string);
    }
    if (inner && kind === Token.OpenBrace) inner.braces++;
    else if (inner && kind === Token.CloseBrace) inner.braces--;
    if (kind === Token.Junk) this.#skipJunk(length);
    else this.#push(kind, this.#at + length);
    if (problem === undefined) return;
    const span = { start: this.#at - length, end: this.#at };
    this.#tell(kind === Token.Junk ? 'unexpected-character' : 'invalid-symbol', span, problem, hint);
  }

  #skipJunk(length: number): void {
    this.#tokens.markJunk();
    this.#at += length;
  }

  /** One diagnostic stands for the whole string, whatever was read in it. */
  #unclosedInterpolation({ string, start }: Interpolation): void {
    this.#breakString(string);
    this.#unclosed(
      'unclosed-interpolation',
      'The expression in this string is not closed: "}" is missing.',
      start,
      2,
    );
  }

  /** Takes the text that misses a quote for one broken string, and goes on behind it. */
  #breakLine(string: StringStart): void {
    const from = Math.max(this.#brokenTo, lineStart(this.#source, string.start));
    const isSecond = from === this.#brokenTo && from > 0;
    const { start, end, missing } = isSecond
      ? {
          start: string.start,
          end: unclosedStringEnd(this.#source, string.start),
          missing: 'closing' as const,
        }
      : brokenText(this.#source, from, quotesOf(this.#tokens, from, string.start));
    this.#forgetFrom(start);
    this.#push(Token.Broken, end);
    this.#brokenTo = end;
    if (missing === 'closing') return this.#unclosed('unclosed-string', CLOSING_QUOTE, start, 1);
    if (missing === 'opening')
      return this.#tell('unclosed-string', { start, end }, OPENING_QUOTE, 'write "…"');
    const lineEnd = unclosedStringEnd(this.#source, start);
    this.#tell(
      'unclosed-string',
      { start: lineEnd, end: lineEnd },
      LATER_QUOTE,
      'write """…""", or \\n for a line break',
    );
  }

  /** Forgets all that was read from an offset on, and stands there. */
  #forgetFrom(start: number): void {
    this.#diagnostics = this.#diagnostics.filter(({ span }) => span.start < start);
    this.#comments = this.#comments.filter(({ span }) => span.start < start);
    let { length } = this.#tokens;
    while (length > 0 && this.#tokens.end(length - 1) > start) length--;
    this.#tokens.truncate(length);
    this.#open.length = 0;
    this.#at = start;
  }

  #breakString({ start }: StringStart): void {
    this.#forgetFrom(start);
    this.#push(Token.Broken, unclosedStringEnd(this.#source, start));
  }

  #unclosed(code: string, message: string, opened: number, openerLength: number): void {
    const hint = `close it with ${CLOSERS[code] ?? (openerLength === 3 ? RAW_QUOTES : 'a double quote')}`;
    this.#diagnostics.push({
      code,
      severity: 'error',
      message,
      span: { start: this.#at, end: this.#at },
      hint,
      related: [{ message: 'opened here', span: { start: opened, end: opened + openerLength } }],
    });
  }

  #tell(code: string, span: Span, message: string, hint?: string): void {
    this.#diagnostics.push({ code, severity: 'error', message, span, ...(hint !== undefined && { hint }) });
  }
}
