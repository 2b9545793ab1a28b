import { nearestName } from '../../errors/did-you-mean.js';
import { MAX_DIAGNOSTICS, type Diagnostic } from '../diagnostic.js';
import type { Span } from '../syntax-tree.js';

export type ProblemDetails = Pick<Diagnostic, 'hint' | 'related'>;

/** Mistakes that no mistake of the syntax makes. */
const OWN_MISTAKES: ReadonlySet<string> = new Set(['tool-args-outside-input', 'forbidden-name']);

/** Collects what the checks have to say. */
export class Problems {
  readonly list: Diagnostic[] = [];
  readonly #syntax: readonly Diagnostic[];
  #isMarred = false;

  /** @param syntax what the parser has told */
  constructor(syntax: readonly Diagnostic[] = []) {
    this.#syntax = syntax;
  }

  error(code: string, span: Span, message: string, details: ProblemDetails = {}): void {
    this.#add({ code, severity: 'error', message, span, ...details });
  }

  warning(code: string, span: Span, message: string, details: ProblemDetails = {}): void {
    this.#add({ code, severity: 'warning', message, span, ...details });
  }

  /** False if the parser has told of something there: then what is missing is not told too. */
  isWhole({ start, end }: Span): boolean {
    return !this.#syntax.some(({ span, related = [] }) =>
      [span, ...related.map((other) => other.span)].some((at) => at.start >= start && at.start <= end),
    );
  }

  /**
   * Runs the checks of an assignment. If the parser has told of something in it, what they find is very likely its
   * consequence, and only what surely is a mistake of its own is told: a name that is nearly a known one.
   */
  within<T>({ start, end }: Span, check: () => T): T {
    const outer = this.#isMarred;
    this.#isMarred ||= this.#syntax.some(
      ({ code, span }) => code !== 'unclosed-block' && span.start >= start && span.start <= end,
    );
    const result = check();
    this.#isMarred = outer;
    return result;
  }

  /** The known name that is probably meant. Not looked for in a file with more problems than are shown. */
  nearest(name: string, known: readonly string[]): string | undefined {
    if (this.list.length > MAX_DIAGNOSTICS) return undefined;
    return nearestName(name, known);
  }

  #add(diagnostic: Diagnostic): void {
    const { code, span, hint = '' } = diagnostic;
    const isOwn = OWN_MISTAKES.has(code) || hint.startsWith('did you mean');
    if (this.#isMarred && (!isOwn || this.#syntax.some((other) => isSame(other.span, span)))) return;
    this.list.push(diagnostic);
  }
}

function isSame(one: Span, other: Span): boolean {
  return one.start <= other.end && other.start <= one.end;
}
