import { wellFormed } from '../../messages/well-formed.js';

/**
 * Collects text that comes in pieces and passes each piece on. Servers cut text anywhere, also inside a surrogate
 * pair: the first half is held back until the second comes, so that every piece is well-formed by itself and the
 * pieces joined are the whole text.
 */
export class TextCollector {
  readonly #emit: (piece: string) => void;
  #text = '';
  #half = '';

  constructor(emit: (piece: string) => void) {
    this.#emit = emit;
  }

  add(text: string): void {
    const piece = this.#half === '' ? text : this.#half + text;
    if (isHighSurrogate(piece.charCodeAt(piece.length - 1))) {
      this.#half = piece.slice(-1);
      this.#pass(piece.slice(0, -1));
    } else {
      this.#half = '';
      this.#pass(piece);
    }
  }

  /** The whole text. A half that never got its other half is replaced. */
  finish(): string {
    const half = this.#half;
    this.#half = '';
    this.#pass(half);
    return this.#text;
  }

  #pass(text: string): void {
    const piece = wellFormed(text);
    if (piece === '') return;
    this.#text += piece;
    this.#emit(piece);
  }
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
