import {
  AgentDslCompiler,
  AgentException,
  LineMap,
  parse,
  renderDiagnostic,
  type AgentDef,
  type OperatorCatalog,
} from '@nestor/core';
import { DuplicateAgentException } from '../agents/agent.registry.js';
import type { AgentFile } from './agent-file.js';

export interface CompiledFile {
  /** Empty if the file has errors. */
  readonly definitions: readonly AgentDef[];
  /** For people; empty if there are none. */
  readonly errors: string;
  readonly warnings: string;
}

/** Compiles one file against the operators there are. @param operators default: names of operators are not judged */
export function compileAgentFile({ path, source }: AgentFile, operators?: OperatorCatalog): CompiledFile {
  const { definitions = [], diagnostics } = new AgentDslCompiler(operators).check(source);
  const lines = new LineMap(source);
  const rendered = (severity: 'error' | 'warning'): string =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity)
      .map((diagnostic) => renderDiagnostic(diagnostic, path, lines))
      .join('\n\n');
  return { definitions, errors: rendered('error'), warnings: rendered('warning') };
}

/** The files that declare each agent. What one declares twice is once in it: the compiler tells of that. */
export function declaringFiles<T extends AgentFile>(files: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const declaring = new Map<string, T[]>();
  for (const file of files) {
    const names = parse(file.source).file.agents.map(({ name }) => name.text);
    for (const id of new Set(names.filter(Boolean))) declaring.set(id, [...(declaring.get(id) ?? []), file]);
  }
  return declaring;
}

/**
 * Compiles all of them.
 * @param operators as of `compileAgentFile`
 * @param warn hears of what is odd
 * @throws AgentException `invalid_agent_source` with everything that is wrong, in all files; DuplicateAgentException
 */
export function compileAgentFiles(
  files: readonly AgentFile[],
  operators?: OperatorCatalog,
  warn: (warnings: string) => void = () => {},
): readonly AgentDef[] {
  const compiled = files.map((file) => compileAgentFile(file, operators));
  for (const { warnings } of compiled) if (warnings) warn(warnings);
  const errors = compiled.flatMap((file) => file.errors || []);
  if (errors.length > 0) {
    throw new AgentException(`The agents cannot be compiled.\n\n${errors.join('\n\n')}\n`, {
      code: 'invalid_agent_source',
    });
  }
  for (const [id, declaring] of declaringFiles(files))
    if (declaring.length > 1)
      throw new DuplicateAgentException(
        id,
        declaring.map(({ path }) => path),
      );
  return compiled.flatMap(({ definitions }) => definitions);
}
