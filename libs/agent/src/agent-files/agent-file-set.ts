import { relative } from 'node:path';
import { AgentException, parse } from '@nestor/core';
import { glob, globSync, type GlobOptions } from 'tinyglobby';
import type { AgentFile, UnreadableFile } from './agent-file.js';
import { compileAgentFiles } from './compile-agent-files.js';
import { readAgentFile, readAgentFileSync } from './read-agent-file.js';

const GLOB: GlobOptions = { absolute: true, onlyFiles: true };

/** The files that patterns such as `agents/*.agent` name, from the working directory on. */
export class AgentFileSet {
  readonly patterns: readonly string[];

  constructor(patterns: readonly string[]) {
    this.patterns = patterns.map((pattern) => pattern.replaceAll('\\', '/'));
  }

  /**
   * As they are now, by their paths.
   * @throws AgentException `no_agent_files` for a pattern without a file; `unreadable_agent_file`
   */
  read(): readonly AgentFile[] {
    return inOrder(this.patterns.flatMap(filesOf)).map(readAgentFileSync);
  }

  /** As `read`, while the application runs: it holds nothing up, and one that cannot be read keeps none from being read. */
  async look(): Promise<readonly (AgentFile | UnreadableFile)[]> {
    const found = await glob([...this.patterns], GLOB);
    return Promise.all(
      inOrder(found).map((path) =>
        readAgentFile(path).catch((error: unknown) => ({
          path,
          problem: error instanceof Error ? error.message : String(error),
        })),
      ),
    );
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
  const found = globSync(pattern, GLOB);
  if (found.length > 0) return found;
  throw new AgentException(
    `No file fits "${pattern}" in agents: it was looked for from ${process.cwd()} on. ` +
      `Correct the pattern, or give it from the root on.`,
    { code: 'no_agent_files' },
  );
}

function inOrder(found: readonly string[]): string[] {
  return [...new Set(found.map(shortest))].toSorted();
}

function shortest(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}
