import type { Diagnostic } from '../language/diagnostic.js';
import { diagnosticToJson, type DiagnosticJson } from '../language/diagnostic-json.js';
import type { LineMap } from '../language/line-map.js';
import { renderDiagnostic } from '../language/render-diagnostic.js';
import { AgentException } from './agent.exception.js';

/**
 * Thrown when a source of the agent language cannot be compiled. The message shows every mistake with its place and
 * the line it stands on.
 */
export class AgentDslException extends AgentException {
  /** In the order of their places; warnings too, if there were any beside the errors. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file's name, or what the source is. */
  readonly file: string;
  readonly #lines: LineMap;

  constructor(diagnostics: readonly Diagnostic[], file: string, lines: LineMap) {
    super(diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, file, lines)).join('\n\n'), {
      code: 'invalid_agent_source',
    });
    this.diagnostics = diagnostics;
    this.file = file;
    this.#lines = lines;
  }

  /** The diagnostics with lines and columns, as plain objects. */
  diagnosticsJson(): DiagnosticJson[] {
    return this.diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, this.file, this.#lines));
  }
}
