import { Token, type TokenKind, type TokenList } from '../lexing/token.js';

/** Which closing bracket each opening one has, and the other way round, over a whole file. */
export class BracketPairs {
  readonly #partners: Int32Array;

  /** Braces are stronger than parentheses and brackets: `{ ( }` leaves the parenthesis alone. Linear. */
  constructor(tokens: TokenList) {
    this.#partners = new Int32Array(tokens.length).fill(-1);
    const open = new OpenBrackets();
    for (let index = 0; index < tokens.length; index++) {
      const kind = tokens.kind(index);
      if (isOpener(kind)) open.push(kind, index);
      else if (isCloser(kind) && kind !== Token.TemplateMiddle) {
        const opener = open.close(kind);
        if (opener === -1) continue;
        this.#partners[opener] = index;
        this.#partners[index] = opener;
      }
    }
  }

  /** The index of the other bracket of a pair; -1 for a bracket without one. */
  partner(index: number): number {
    return this.#partners[index] ?? -1;
  }
}

/** The start of a string with expressions in it counts as a bracket, its end as the closing one. */
export function isOpener(kind: TokenKind): boolean {
  return (
    kind === Token.OpenBrace ||
    kind === Token.OpenParen ||
    kind === Token.OpenBracket ||
    kind === Token.TemplateHead
  );
}

export function isCloser(kind: TokenKind): boolean {
  return (
    kind === Token.CloseBrace ||
    kind === Token.CloseParen ||
    kind === Token.CloseBracket ||
    kind === Token.TemplateMiddle ||
    kind === Token.TemplateTail
  );
}

export function closerOf(opener: TokenKind): TokenKind {
  if (opener === Token.OpenBrace) return Token.CloseBrace;
  if (opener === Token.OpenParen) return Token.CloseParen;
  return opener === Token.OpenBracket ? Token.CloseBracket : Token.TemplateTail;
}

/** The brackets open at a place, by kind, as indexes of their tokens. */
class OpenBrackets {
  readonly #strong: number[] = [];
  readonly #parens: number[] = [];
  readonly #brackets: number[] = [];

  push(kind: TokenKind, index: number): void {
    if (kind === Token.OpenParen) this.#parens.push(index);
    else if (kind === Token.OpenBracket) this.#brackets.push(index);
    else this.#strong.push(index);
  }

  /** Takes the nearest bracket that `closer` may close, and the weak ones inside it; -1 if there is none. */
  close(closer: TokenKind): number {
    if (closer !== Token.CloseParen && closer !== Token.CloseBracket) {
      const index = this.#strong.pop() ?? -1;
      if (index !== -1) this.#leave(index);
      return index;
    }
    const open = closer === Token.CloseParen ? this.#parens : this.#brackets;
    const index = open.at(-1) ?? -1;
    if (index < (this.#strong.at(-1) ?? 0)) return -1;
    open.pop();
    this.#leave(index);
    return index;
  }

  /** Forgets the weak brackets opened since the token at `index`. */
  #leave(index: number): void {
    while ((this.#parens.at(-1) ?? -1) > index) this.#parens.pop();
    while ((this.#brackets.at(-1) ?? -1) > index) this.#brackets.pop();
  }
}
