import {
  AgentDslCompiler,
  didYouMean,
  LineMap,
  linkAgent,
  type AgentDef,
  type OperatorRegistry,
  type ToolDefinition,
} from '@nestor/core';
import { CliError } from '../cli.error.js';
import { readAgentFile, type AgentFile } from '../files/agent-files.js';
import { namedOperators } from '../operators/described-operators.js';
import { readOperators } from '../operators/operator-metadata.file.js';
import { printableJson } from '../printable.js';
import { renderFiles } from '../sources/check-report.js';
import type { Terminal } from '../terminal.js';

export interface SchemaOptions {
  /** Default: every agent of the file. */
  readonly agent?: string;
  /** An `operator-metadata.json`. Without one parameters are what the file itself tells of them. */
  readonly metadata?: string;
}

/** What a model is told of an agent's tools. */
interface AgentTools {
  readonly agent: string;
  readonly tools: readonly ToolDefinition[];
}

/** Prints what a model is told of the tools. @returns the exit code: 1 if the file has errors */
export async function showSchema(
  path: string,
  { agent, metadata }: SchemaOptions,
  terminal: Terminal,
): Promise<number> {
  const file = await readAgentFile(path);
  const unjudged = definitionsOf(file, undefined, terminal);
  if (!unjudged) return 1;
  const operators =
    metadata === undefined
      ? namedOperators(unjudged.flatMap(({ tools }) => tools.map(({ operatorRef }) => operatorRef)))
      : await readOperators(
          metadata,
          unjudged.map(({ id }) => id),
        );
  const definitions = metadata === undefined ? unjudged : definitionsOf(file, operators, terminal);
  if (!definitions) return 1;
  const shown = chosen(definitions, agent, path).map((def) => toolsOf(def, operators));
  terminal.out(printableJson(shown));
  if (metadata === undefined) {
    terminal.err(
      'Without --metadata only what the file tells of the tools is shown, not what their operators say.\n',
    );
  }
  return 0;
}

/** Undefined if there are errors, which are told then. */
function definitionsOf(
  { path, source }: AgentFile,
  operators: OperatorRegistry | undefined,
  terminal: Terminal,
): readonly AgentDef[] | undefined {
  const { definitions, diagnostics } = new AgentDslCompiler(operators).check(source);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  terminal.err(renderFiles([{ path, lines: new LineMap(source), diagnostics: errors }], false));
  return definitions;
}

function chosen(
  definitions: readonly AgentDef[],
  agent: string | undefined,
  path: string,
): readonly AgentDef[] {
  if (agent === undefined) return definitions;
  const found = definitions.filter(({ id }) => id === agent);
  if (found.length > 0) return found;
  const ids = definitions.map(({ id }) => id);
  throw new CliError(
    `${path} has no agent "${agent}"; it has ${ids.join(', ') || 'none'}.${didYouMean(agent, ids)}`,
  );
}

function toolsOf(def: AgentDef, operators: OperatorRegistry): AgentTools {
  const { definitions = [] } = linkAgent(def, operators);
  const tools = definitions.map(({ name, description, parameters }) => ({ name, description, parameters }));
  return { agent: def.id, tools };
}
