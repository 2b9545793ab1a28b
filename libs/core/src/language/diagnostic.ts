import type { Span } from './syntax-tree.js';

/** Most diagnostics one file gives; one more says that there are others. */
export const MAX_DIAGNOSTICS = 100;

/** Something to tell the author of a source text. */
export interface Diagnostic {
  /** A stable name in kebab-case, such as `expected-value`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** One or two sentences. */
  readonly message: string;
  readonly span: Span;
  /** Other places that explain it, such as "opened here". */
  readonly related?: readonly RelatedPlace[];
  /** The remedy. */
  readonly hint?: string;
}

export interface RelatedPlace {
  readonly message: string;
  readonly span: Span;
}

/** In the order of their places, the first `MAX_DIAGNOSTICS` and, if there are more, one that says so. */
export function orderedDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const ordered = [...diagnostics].sort((a, b) => a.span.start - b.span.start);
  const next = ordered[MAX_DIAGNOSTICS];
  if (!next) return ordered;
  return [
    ...ordered.slice(0, MAX_DIAGNOSTICS),
    {
      code: 'too-many-diagnostics',
      severity: 'error',
      message: `There are more than ${MAX_DIAGNOSTICS} problems; the others are not shown.`,
      span: next.span,
    },
  ];
}
