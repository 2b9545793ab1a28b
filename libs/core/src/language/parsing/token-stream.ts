import { BracketPairs } from './bracket-pairs.js';
import { hasLineBreak } from '../comment.js';
import { MAX_DIAGNOSTICS, type Diagnostic, type RelatedPlace } from '../diagnostic.js';
import { docBefore } from '../doc-comment.js';
import { tokenize, type LexerResult } from '../lexer.js';
import { quoted } from './quoted.js';
import type { Span } from '../syntax-tree.js';
import { Token, type TokenKind } from '../lexing/token.js';

export interface Details {
  readonly hint?: string;
  readonly related?: readonly RelatedPlace[];
}

/** What to do about a problem for which nothing better is known. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['expected-agent', 'write stream agent name { … }'],
  ['expected-arrow', 'write pattern -> value'],
  ['expected-brace', 'add "{"'],
  ['expected-colon', 'write key: value'],
  ['expected-comma', 'put a comma between them'],
  ['expected-equals', 'write name = value'],
  ['expected-input', 'write input { … } around the fields'],
  ['expected-name', 'write the name'],
  ['expected-value', 'write a value, or remove what needs one'],
  ['unclosed-block', 'add "}"'],
  ['unclosed-bracket', 'add the closing bracket'],
  ['unexpected-token', 'remove it'],
  ['unknown-root', 'write agent name { … }'],
]);

/**
 * The tokens of a source, read forwards only, and the problems found on the way. What follows from a problem already
 * told is not told again: nothing is reported twice at one token, nor at a token that recovery skipped to.
 */
export class TokenStream {
  readonly source: string;
  readonly lexed: LexerResult;
  readonly pairs: BracketPairs;
  readonly diagnostics: Diagnostic[] = [];
  /** What recovery passed over; what the lexer found there is of no interest. */
  readonly skipped: Span[] = [];
  /** Index of the current token. */
  position = 0;
  /** Index of the `{` of the agent being read, or -1. */
  agentOpen = -1;
  /** True once it has been told that a brace of that agent is missing, or one too many. */
  bracesTold = false;
  /** Looks at tokens so far: a measure of the work. */
  steps = 0;
  #reportedAt = -1;
  /** Where the last problem of the statement at hand was told, or -1. */
  #toldAt = -1;

  constructor(source: string) {
    this.source = source;
    this.lexed = tokenize(source);
    this.pairs = new BracketPairs(this.lexed.tokens);
  }

  kind(ahead = 0): TokenKind {
    this.steps++;
    return this.lexed.tokens.kind(this.position + ahead);
  }

  at(kind: TokenKind, ahead = 0): boolean {
    return this.kind(ahead) === kind;
  }

  /** True if the word stands `ahead` of the current token. */
  atWord(word: string, ahead = 0): boolean {
    if (!this.at(Token.Name, ahead)) return false;
    const { start, end } = this.span(ahead);
    return end - start === word.length && this.source.startsWith(word, start);
  }

  text(ahead = 0): string {
    return this.source.slice(this.start(ahead), this.lexed.tokens.end(this.position + ahead));
  }

  start(ahead = 0): number {
    return this.lexed.tokens.start(this.position + ahead);
  }

  span(ahead = 0): Span {
    return { start: this.start(ahead), end: this.lexed.tokens.end(this.position + ahead) };
  }

  /** Where the last token taken ends. */
  previousEnd(): number {
    return this.position === 0 ? 0 : this.lexed.tokens.end(this.position - 1);
  }

  /** From a place to the end of the last token taken. */
  spanFrom(start: number): Span {
    return { start, end: Math.max(start, this.previousEnd()) };
  }

  /** True if no white space stands between the current token and the one before. */
  isAttached(): boolean {
    return this.position > 0 && this.previousEnd() === this.start();
  }

  /** True if the token stands on a later line than what is before it. */
  startsLine(ahead = 0): boolean {
    const index = this.position + ahead;
    return index === 0 || hasLineBreak(this.source, this.lexed.tokens.end(index - 1), this.start(ahead));
  }

  /** Says that something begins whose problems are mistakes of its own: an assignment, a header. */
  beginStatement(): void {
    this.#toldAt = -1;
  }

  /** The index of the bracket that closes the one at `index`, or -1. */
  closing(index: number): number {
    return index < 0 ? -1 : this.pairs.partner(index);
  }

  /** Passes the current token and gives its index; the end is never passed. */
  take(): number {
    const index = this.position;
    const kind = this.kind();
    if (kind === Token.End) return index;
    this.position++;
    if (kind === Token.Broken) {
      this.#reportedAt = this.position;
      this.#toldAt = this.previousEnd();
    }
    return index;
  }

  accept(kind: TokenKind): boolean {
    if (!this.at(kind)) return false;
    this.take();
    return true;
  }

  /** Passes tokens up to one that `stop` accepts, or the end, perhaps none. */
  skipUntil(stop: () => boolean): void {
    if (this.at(Token.End) || stop()) this.#reportedAt = this.position;
    else this.skipPast(stop);
  }

  /**
   * Passes the current token, and more up to one that `stop` accepts, or the end. A bracket with a partner is passed with
   * all in it. What the lexer told of the first token stays, what it told of the others does not.
   */
  skipPast(stop: () => boolean): void {
    const start = this.span().end;
    do this.#skipOne();
    while (!this.at(Token.End) && !stop());
    this.#markSkipped(start);
    this.#reportedAt = this.position;
  }

  /** Passes a bracket with its partner and all between; what follows is judged as ever. */
  skipBracket(): void {
    const start = this.span().end;
    this.#skipOne();
    this.#markSkipped(start);
  }

  /** Leaves out what the lexer told of a stretch: it is told in other words. */
  passOver({ start, end }: Span): void {
    this.skipped.push({ start: start - 1, end });
  }

  /** Tells that something is missing where the stream stands, unless a problem has been told there. */
  missing(code: string, expected: string, details: Details = {}): void {
    this.problemHere(code, `${expected}, but found ${this.#found()}.`, details, this.#place());
  }

  /** Tells a problem of the current token, unless one has been told there, or of the same statement on this line. */
  problemHere(code: string, message: string, details: Details = {}, span = this.span()): void {
    const isTold =
      this.#reportedAt === this.position ||
      this.at(Token.Broken) ||
      this.lexed.tokens.isAfterJunk(this.position) ||
      (this.#toldAt !== -1 && !hasLineBreak(this.source, this.#toldAt, span.start));
    this.#reportedAt = this.position;
    this.#toldAt = span.start;
    if (isTold || (this.lexed.cut && this.at(Token.End))) return;
    this.problem(code, span, message, details);
  }

  /** Tells a problem that says nothing about how to read on. */
  problem(code: string, span: Span, message: string, details: Details = {}): void {
    if (this.diagnostics.length > MAX_DIAGNOSTICS) return;
    const hint = details.hint ?? REMEDIES.get(code);
    this.diagnostics.push({ code, severity: 'error', message, span, ...details, ...(hint && { hint }) });
    if (this.diagnostics.length > MAX_DIAGNOSTICS) this.#giveUp();
  }

  /** The text of the doc comment before the current token, or null. */
  doc(): string | null {
    // A comma between is nothing: the formatter leaves it out.
    const previous = this.position - (this.position > 0 && this.at(Token.Comma, -1) ? 2 : 1);
    const end = previous < 0 ? 0 : this.lexed.tokens.end(previous);
    return docBefore(this.source, this.lexed.comments, end, this.start());
  }

  #found(): string {
    if (this.at(Token.End)) return 'the end';
    return this.at(Token.TemplateMiddle) || this.at(Token.TemplateTail) ? '"}"' : quoted(this.text());
  }

  /** Passes one token, or a bracket with its partner and all between. */
  #skipOne(): void {
    const closing = this.closing(this.position);
    this.position = Math.max(this.position, closing);
    this.take();
  }

  #markSkipped(start: number): void {
    if (this.previousEnd() > start) this.skipped.push({ start, end: this.previousEnd() });
  }

  /** The current token, or the end of the one before if that stands on an earlier line: there something is missing. */
  #place(): Span {
    const end = this.previousEnd();
    const isElsewhere = this.at(Token.End) || this.startsLine();
    return isElsewhere && this.position > 0 ? { start: end, end } : this.span();
  }

  #giveUp(): void {
    this.position = this.lexed.tokens.length - 1;
    this.#reportedAt = this.position;
  }
}
