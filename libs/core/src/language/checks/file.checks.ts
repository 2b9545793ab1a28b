import { MAX_DIAGNOSTICS, orderedDiagnostics, type Diagnostic } from '../diagnostic.js';
import type { ParseResult } from '../parser.js';
import { checkAgent } from './agent.checks.js';
import type { CheckedAgent } from './checked-file.js';
import { FirstNamed } from './first-named.js';
import type { OperatorCatalog } from './operator-catalog.js';
import { Problems } from './problems.js';
import { isGiven } from './tool.checks.js';

export interface CheckedFile {
  /** To be used only if no diagnostic is an error. */
  readonly agents: readonly CheckedAgent[];
  /** The parser's and the checks', in the order of their places. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks a parsed file. @param operators null: names of operators are not judged. */
export function checkFile(
  { file, diagnostics }: ParseResult,
  operators: OperatorCatalog | null,
): CheckedFile {
  const problems = new Problems(diagnostics);
  const names = new FirstNamed('duplicate-agent', 'The agent');
  const agents: CheckedAgent[] = [];
  for (const agent of file.agents) {
    // What comes after would not be shown.
    if (problems.list.length > MAX_DIAGNOSTICS) break;
    if (isGiven(agent.name.span)) names.add(agent.name, problems);
    agents.push(checkAgent(agent, operators, problems));
  }
  return { agents, diagnostics: orderedDiagnostics([...diagnostics, ...problems.list]) };
}
