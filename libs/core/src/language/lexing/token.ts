/** Kinds of tokens. Keywords are names: where a word stands tells what it means. */
export const Token = {
  End: 0,
  Name: 1,
  /** A number or a duration, whether well written or not. */
  Number: 2,
  /** `"…"` without `${`. */
  String: 3,
  /** `"""…"""`. */
  RawString: 4,
  /** `"… ${`, `} … ${` and `} … "`: the fixed parts of a string with expressions in it. */
  TemplateHead: 5,
  TemplateMiddle: 6,
  TemplateTail: 7,
  /** A string that is not closed, or in single quotes: stands for a value, and the lexer has told. */
  Broken: 8,
  /** Characters that mean nothing: never in a list, where what follows them is marked. */
  Junk: 9,
  OpenBrace: 10,
  CloseBrace: 11,
  OpenParen: 12,
  CloseParen: 13,
  OpenBracket: 14,
  CloseBracket: 15,
  Comma: 16,
  Colon: 17,
  Equal: 18,
  Arrow: 19,
  Dot: 20,
  QuestionDot: 21,
  Question: 22,
  Bang: 23,
  Coalesce: 24,
  Or: 25,
  And: 26,
  EqualEqual: 27,
  BangEqual: 28,
  Less: 29,
  LessEqual: 30,
  Greater: 31,
  GreaterEqual: 32,
  Plus: 33,
  Minus: 34,
  Star: 35,
  Slash: 36,
  Percent: 37,
} as const;

export type TokenKind = (typeof Token)[keyof typeof Token];

/** Added to the kind of a token with junk before it. */
const JUNK_BEFORE = 0x80;

/** Tokens as columns of numbers, as a file may have very many. None is empty but the last, `End`. */
export class TokenList {
  readonly #kinds: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  #length = 0;
  #junk = 0;

  /** @param capacity the most tokens it will hold. */
  constructor(capacity: number) {
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(kind: TokenKind, start: number, end: number): void {
    this.#kinds[this.#length] = kind | this.#junk;
    this.#junk = 0;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length++;
  }

  /** Marks the token that comes next: characters that mean nothing stand before it, and the lexer has told. */
  markJunk(): void {
    this.#junk = JUNK_BEFORE;
  }

  isAfterJunk(index: number): boolean {
    return ((this.#kinds[Math.min(index, this.#length - 1)] ?? 0) & JUNK_BEFORE) !== 0;
  }

  /** Forgets the tokens from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** The kind at an index; past the last token it is `End`. */
  kind(index: number): TokenKind {
    return index < this.#length
      ? (((this.#kinds[index] ?? Token.End) & ~JUNK_BEFORE) as TokenKind)
      : Token.End;
  }

  start(index: number): number {
    return this.#starts[Math.min(index, this.#length - 1)] ?? 0;
  }

  end(index: number): number {
    return this.#ends[Math.min(index, this.#length - 1)] ?? 0;
  }
}
