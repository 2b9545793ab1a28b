import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { AgentException, parse } from '@nestor/core';
import { globSync } from 'tinyglobby';
import type { AgentFile } from './agent-file.js';
import { compileAgentFiles } from './compile-agent-files.js';

/** The files that patterns such as `agents/*.agent` name, from the working directory on. */
export class AgentFileSet {
  readonly patterns: readonly string[];

  constructor(patterns: readonly string[]) {
    this.patterns = patterns;
  }

  /**
   * As they are now, by their paths.
   * @throws AgentException `no_agent_files` for a pattern without a file; what the file system says.
   */
  read(): readonly AgentFile[] {
    const paths = new Set(this.patterns.flatMap(filesOf));
    return [...paths].toSorted().map((path) => ({ path, source: readFileSync(path, 'utf8') }));
  }

  /**
   * The agents they name. What else they say is judged when the operators are known.
   * @throws AgentException as `read`; `invalid_agent_source` if a file cannot even be read as the agent language.
   */
  ids(): readonly string[] {
    const files = this.read();
    const parsed = files.map(({ source }) => parse(source));
    // Else whoever injects an agent of such a file would only hear that it is not there.
    if (parsed.some(({ diagnostics }) => diagnostics.length > 0)) compileAgentFiles(files);
    return parsed.flatMap(({ file }) => file.agents.map(({ name }) => name.text));
  }
}

function filesOf(pattern: string): string[] {
  const found = globSync(pattern.replaceAll('\\', '/'), { absolute: true, onlyFiles: true });
  if (found.length > 0) return found.map((path) => shortest(path));
  throw new AgentException(
    `No file fits "${pattern}" in agents: it was looked for from ${process.cwd()} on. ` +
      `Correct the pattern, or give it from the root on.`,
    { code: 'no_agent_files' },
  );
}

function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}
