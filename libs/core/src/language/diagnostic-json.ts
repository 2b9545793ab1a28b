import type { Diagnostic } from './diagnostic.js';
import type { LineMap } from './line-map.js';
import type { Span } from './syntax-tree.js';

/** A place for programs: lines and columns from 1, the end exclusive. */
export interface PlaceJson {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly message: string;
}

export interface DiagnosticJson extends PlaceJson {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly hint: string | null;
  readonly related: readonly PlaceJson[];
}

/** A diagnostic as a plain object for `JSON.stringify`. */
export function diagnosticToJson(diagnostic: Diagnostic, file: string, lines: LineMap): DiagnosticJson {
  const { code, severity, message, span, hint = null, related = [] } = diagnostic;
  return {
    ...placeToJson(message, span, file, lines),
    code,
    severity,
    hint,
    related: related.map((other) => placeToJson(other.message, other.span, file, lines)),
  };
}

function placeToJson(message: string, span: Span, file: string, lines: LineMap): PlaceJson {
  const { line, column } = lines.position(span.start);
  const end = lines.position(span.end);
  return { file, line, column, endLine: end.line, endColumn: end.column, message };
}
