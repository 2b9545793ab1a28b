import { parse, type OperatorCatalog } from '@nestor/core/language';
import { readAgentFiles, type AgentFile } from '../files/agent-files.js';
import { countOf, renderFiles, reportJson, summaryOf } from '../sources/check-report.js';
import { checkFiles } from '../sources/checked-file.js';
import type { Terminal } from '../terminal.js';

export interface CheckOptions {
  /** An `operator-metadata.json`. Without one names of operators are not judged. */
  readonly metadata?: string;
  readonly json?: boolean;
}

/** Prints what is wrong with agent files. @returns the exit code: 1 if there are errors */
export async function check(
  patterns: readonly string[],
  { metadata, json = false }: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const files = await readAgentFiles(patterns);
  const operators = metadata === undefined ? undefined : await operatorsOf(metadata, files);
  const checked = checkFiles(files, operators);
  if (json) terminal.out(reportJson(checked));
  else terminal.out(`${renderFiles(checked, terminal.colours)}${summaryOf(checked)}\n`);
  return countOf('error', checked) > 0 ? 1 : 0;
}

async function operatorsOf(metadata: string, files: readonly AgentFile[]): Promise<OperatorCatalog> {
  // Loads the engine, which costs more than all the rest.
  const { readOperators } = await import('../operators/operator-metadata.file.js');
  // An agent can be another one's tool.
  const agents = files.flatMap(({ source }) => parse(source).file.agents.map(({ name }) => name.text));
  return readOperators(metadata, agents);
}
