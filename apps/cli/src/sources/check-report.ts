import { renderDiagnostic } from '@nestor/core/language';
import { printableJson } from '../printable.js';
import { fileDiagnosticToJson, type CheckedFile, type FileDiagnostic } from './checked-file.js';
import { counted } from './counted.js';
import { inColour } from './colours.js';

/** Every diagnostic with its place, for people; empty if there are none. */
export function renderFiles(files: readonly CheckedFile[], colours: boolean): string {
  return files
    .flatMap(({ path, lines, diagnostics }) =>
      diagnostics.map((diagnostic) => {
        const text = renderDiagnostic(diagnostic, path, lines);
        return `${colours ? inColour(text, diagnostic.severity) : text}\n\n`;
      }),
    )
    .join('');
}

/** As `3 errors in 1 of 2 files`. */
export function summaryOf(files: readonly CheckedFile[]): string {
  const errors = countOf('error', files);
  const warnings = countOf('warning', files);
  if (errors + warnings === 0) return `No problems in ${counted(files.length, 'file')}`;
  const problems = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const touched = files.filter(({ diagnostics }) => diagnostics.length > 0);
  return `${problems.join(' and ')} in ${touched.length} of ${counted(files.length, 'file')}`;
}

/** One document for programs. */
export function reportJson(files: readonly CheckedFile[]): string {
  const report = {
    files: files.map((file) => ({
      file: file.path,
      diagnostics: file.diagnostics.map((diagnostic) => fileDiagnosticToJson(diagnostic, file)),
    })),
    errors: countOf('error', files),
    warnings: countOf('warning', files),
  };
  return printableJson(report);
}

export function countOf(severity: FileDiagnostic['severity'], files: readonly CheckedFile[]): number {
  return files.flatMap(({ diagnostics }) => diagnostics).filter((one) => one.severity === severity).length;
}
