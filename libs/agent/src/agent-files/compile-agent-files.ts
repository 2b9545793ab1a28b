import {
  AgentDslCompiler,
  AgentException,
  LineMap,
  renderDiagnostic,
  type AgentDef,
  type OperatorRegistry,
} from '@nestor/core';
import type { AgentFile } from './agent-file.js';

export interface CompiledFile {
  /** Empty if the file has errors. */
  readonly definitions: readonly AgentDef[];
  /** For people; empty if there are none. */
  readonly errors: string;
  readonly warnings: string;
}

/** Compiles one file against the operators there are. @param registry default: names of operators are not judged */
export function compileAgentFile({ path, source }: AgentFile, registry?: OperatorRegistry): CompiledFile {
  const { definitions = [], diagnostics } = new AgentDslCompiler(registry).check(source);
  const lines = new LineMap(source);
  const rendered = (severity: 'error' | 'warning'): string =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map((diagnostic) => renderDiagnostic(diagnostic, path, lines))
      .join('\n\n');
  return { definitions, errors: rendered('error'), warnings: rendered('warning') };
}

/**
 * Compiles all of them.
 * @param registry as of `compileAgentFile`
 * @param warn hears of what is odd
 * @throws AgentException `invalid_agent_source` with everything that is wrong, in all files.
 */
export function compileAgentFiles(
  files: readonly AgentFile[],
  registry?: OperatorRegistry,
  warn: (warnings: string) => void = () => {},
): readonly AgentDef[] {
  const compiled = files.map((file) => compileAgentFile(file, registry));
  for (const { warnings } of compiled) if (warnings) warn(warnings);
  const errors = compiled.flatMap((file) => file.errors || []);
  if (errors.length === 0) return compiled.flatMap(({ definitions }) => definitions);
  throw new AgentException(`The agents cannot be compiled.\n\n${errors.join('\n\n')}\n`, {
    code: 'invalid_agent_source',
  });
}
