import type { Diagnostic } from './diagnostic.js';
import type { LineMap } from './line-map.js';
import { excerpt } from './source-excerpt.js';
import type { Span } from './syntax-tree.js';
import { visible } from './visible-text.js';

/**
 * A diagnostic for people, without a final line break: place, severity, code and message, the line with a caret line
 * below, the hint, and related places in the same way. What a terminal would act on is made visible.
 * @param file the file's name as it is to be shown.
 */
export function renderDiagnostic(diagnostic: Diagnostic, file: string, lines: LineMap): string {
  const { severity, code, message, span, hint, related = [] } = diagnostic;
  return [
    ...place(`${severity}[${code}] ${message}`, span, file, lines),
    ...(hint === undefined ? [] : [`  hint: ${visible(hint)}`]),
    ...related.flatMap((other) => place(other.message, other.span, file, lines)),
  ].join('\n');
}

function place(message: string, span: Span, file: string, lines: LineMap): string[] {
  const { line, column } = lines.position(span.start);
  const number = String(line);
  const { text, marks } = excerpt(lines, line, span);
  return [
    `${visible(file)}:${line}:${column} ${visible(message)}`,
    `  ${number} | ${text}`.trimEnd(),
    `  ${' '.repeat(number.length)} | ${marks}`,
  ];
}
