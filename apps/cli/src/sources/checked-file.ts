import {
  checkFile,
  diagnosticToJson,
  LineMap,
  parse,
  type Diagnostic,
  type DiagnosticJson,
  type OperatorCatalog,
  type ParseResult,
  type PlaceJson,
} from '@nestor/core/language';
import type { AgentFile } from '../files/agent-files.js';

/** A diagnostic that may point at another file too. */
export interface FileDiagnostic extends Diagnostic {
  readonly elsewhere?: PlaceJson;
}

/** An agent file, and what is wrong with it. */
export interface CheckedFile {
  readonly path: string;
  readonly lines: LineMap;
  readonly diagnostics: readonly FileDiagnostic[];
}

/**
 * Checks files as the agents of one application: no two may have one name.
 * @param operators undefined: names of operators are not judged
 */
export function checkFiles(files: readonly AgentFile[], operators?: OperatorCatalog): readonly CheckedFile[] {
  const declared = new Map<string, PlaceJson>();
  return files.map(({ path, source }) => {
    const lines = new LineMap(source);
    const parsed = parse(source);
    const repeated = repeatedAgents(path, parsed, lines, declared);
    const { diagnostics } = checkFile(parsed, operators ?? null);
    return { path, lines, diagnostics: [...diagnostics, ...repeated] };
  });
}

/** For programs. */
export function fileDiagnosticToJson(
  { elsewhere, ...diagnostic }: FileDiagnostic,
  { path, lines }: CheckedFile,
): DiagnosticJson {
  const json = diagnosticToJson(diagnostic, path, lines);
  return elsewhere ? { ...json, related: [...json.related, elsewhere] } : json;
}

/** Agents that a file before declares; those of this file are added. */
function repeatedAgents(
  path: string,
  { file: tree }: ParseResult,
  lines: LineMap,
  declared: Map<string, PlaceJson>,
): FileDiagnostic[] {
  return tree.agents.flatMap(({ name: { text, span } }): FileDiagnostic[] => {
    if (text === '') return [];
    const first = declared.get(text);
    if (!first) {
      const place = { code: '', severity: 'error', message: 'first declared here', span } as const;
      const { file, line, column, endLine, endColumn, message } = diagnosticToJson(place, path, lines);
      declared.set(text, { file, line, column, endLine, endColumn, message });
      return [];
    }
    if (first.file === path) return []; // the compiler tells of it
    return [
      {
        code: 'duplicate-agent',
        severity: 'error',
        message: `The agent "${text}" is declared twice; first in ${first.file}:${first.line}:${first.column}.`,
        hint: 'remove or rename one of them',
        span,
        elsewhere: first,
      },
    ];
  });
}
