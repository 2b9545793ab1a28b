import { nearestName } from '../../errors/did-you-mean.js';
import { MAX_DIAGNOSTICS, type Diagnostic } from '../diagnostic.js';
import type { Span } from '../syntax-tree.js';

export type ProblemDetails = Pick<Diagnostic, 'hint' | 'related'>;

/** Collects what the checks have to say. */
export class Problems {
  readonly list: Diagnostic[] = [];
  readonly #syntax: readonly Diagnostic[];

  /** @param syntax what the parser has told */
  constructor(syntax: readonly Diagnostic[] = []) {
    this.#syntax = syntax;
  }

  error(code: string, span: Span, message: string, details: ProblemDetails = {}): void {
    this.list.push({ code, severity: 'error', message, span, ...details });
  }

  warning(code: string, span: Span, message: string, details: ProblemDetails = {}): void {
    this.list.push({ code, severity: 'warning', message, span, ...details });
  }

  /** False if the parser has told of something there: then what is missing is not told too. */
  isWhole({ start, end }: Span): boolean {
    return !this.#syntax.some(({ span, related = [] }) =>
      [span, ...related.map((other) => other.span)].some((at) => at.start >= start && at.start <= end),
    );
  }

  /** The known name that is probably meant. Not looked for in a file with more problems than are shown. */
  nearest(name: string, known: readonly string[]): string | undefined {
    if (this.list.length > MAX_DIAGNOSTICS) return undefined;
    return nearestName(name, known);
  }
}
