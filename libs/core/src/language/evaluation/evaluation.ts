import { ExpressionLimitException } from '../../errors/expression-limit.exception.js';
import { CHARACTERS_PER_STEP, COMPARISONS_PER_STEP, STEP_LIMIT, TEXT_LIMIT } from './limits.js';

/** A function of the host; its arguments may share structure with the scope and must not be changed. */
export type ExpressionFunction = (...args: readonly unknown[]) => unknown;

/** What an expression sees. The two objects are the host's own: a variable may be a getter, called when it is read. */
export interface ExpressionScope {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly functions?: Readonly<Record<string, ExpressionFunction>>;
}

/** One evaluation: its scope, the parameters of its lambdas and what it may still spend. */
export class Evaluation {
  readonly scope: ExpressionScope;
  /** By the level at which a lambda stands. */
  readonly parameters: unknown[] = [];
  #stepsLeft = STEP_LIMIT;

  constructor(scope: ExpressionScope) {
    this.scope = scope;
  }

  /** @throws ExpressionLimitException `steps` */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new ExpressionLimitException('steps', STEP_LIMIT);
  }

  /** For work that grows with the length of a text. @throws ExpressionLimitException `steps` */
  spendText(length: number): void {
    this.spend(length / CHARACTERS_PER_STEP);
  }

  /** For the search of a text in a text: the engine's own takes the product of their lengths at worst. */
  spendSearch(text: string, part: string): void {
    if (part.length > text.length) return;
    this.spendText(text.length);
    this.spend((text.length * part.length) / COMPARISONS_PER_STEP);
  }

  /** Before a text of that length is made. @throws ExpressionLimitException `steps`, `text` */
  reserveText(length: number): void {
    if (length > TEXT_LIMIT) throw new ExpressionLimitException('text', TEXT_LIMIT);
    this.spendText(length);
  }

  /** Whole or not: a short text takes a part of a step. */
  get stepsLeft(): number {
    return this.#stepsLeft;
  }
}
