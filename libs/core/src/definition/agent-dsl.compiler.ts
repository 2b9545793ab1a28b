import { AgentDslException } from '../errors/agent-dsl.exception.js';
import { checkFile, type CheckedFile } from '../language/checks/file.checks.js';
import type { OperatorCatalog } from '../language/checks/operator-catalog.js';
import type { Diagnostic } from '../language/diagnostic.js';
import { LineMap } from '../language/line-map.js';
import { parse } from '../language/parser.js';
import { renderDiagnostic } from '../language/render-diagnostic.js';
import type { AgentDef } from './agent-def.js';
import { compiledAgent } from './compiled-agent.js';

export interface AgentDslOptions {
  /** Told of what is no error but surely meant otherwise. Default: nobody. */
  readonly onWarning?: (rendered: string, diagnostic: Diagnostic) => void;
}

export interface AgentSourceOptions {
  /** What errors call the source. Default `agent source`. */
  readonly file?: string;
}

export interface AgentSourceCheck {
  /** Undefined if there are errors. */
  readonly definitions?: readonly AgentDef[];
  /** Errors and warnings in the order of their places. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles the agent language (`.agent` files) into definitions that equal those of `AgentBuilder`. */
export class AgentDslCompiler {
  readonly #operators: OperatorCatalog | null;
  readonly #options: AgentDslOptions;

  /** @param operators what tools may name, such as an `OperatorRegistry`. Without it names of operators are not judged. */
  constructor(operators?: OperatorCatalog, options: AgentDslOptions = {}) {
    this.#operators = operators ?? null;
    this.#options = options;
  }

  /**
   * The one agent of a source.
   * @throws AgentDslException with every mistake and its place; also if there is no agent, or more than one.
   */
  compile(source: string, options: AgentSourceOptions = {}): AgentDef {
    const { checked, definitions } = this.#compile(source, options);
    const [definition] = definitions;
    if (definition && definitions.length === 1) return definition;
    throw exception([wrongCount(checked)], source, options);
  }

  /**
   * Every agent of a source, in the order they are declared.
   * @throws AgentDslException with every mistake and its place.
   */
  compileAll(source: string, options: AgentSourceOptions = {}): readonly AgentDef[] {
    return this.#compile(source, options).definitions;
  }

  /** What is wrong with a source, and its definitions if they can be made. Never throws for what a source holds. */
  check(source: string): AgentSourceCheck {
    const { definitions, checked } = this.#read(source);
    return { diagnostics: checked.diagnostics, ...(definitions && { definitions }) };
  }

  #compile(source: string, options: AgentSourceOptions) {
    const { checked, definitions } = this.#read(source);
    if (!definitions) throw exception(checked.diagnostics, source, options);
    const { onWarning } = this.#options;
    if (onWarning && checked.diagnostics.length > 0) {
      const lines = new LineMap(source);
      for (const diagnostic of checked.diagnostics)
        onWarning(renderDiagnostic(diagnostic, fileOf(options), lines), diagnostic);
    }
    return { checked, definitions };
  }

  #read(source: string): { readonly checked: CheckedFile; readonly definitions?: readonly AgentDef[] } {
    const parsed = parse(source);
    const checked = checkFile(parsed, this.#operators);
    if (checked.diagnostics.some(({ severity }) => severity === 'error')) return { checked };
    return { checked, definitions: Object.freeze(checked.agents.map(compiledAgent)) };
  }
}

function exception(
  diagnostics: readonly Diagnostic[],
  source: string,
  options: AgentSourceOptions,
): AgentDslException {
  return new AgentDslException(diagnostics, fileOf(options), new LineMap(source));
}

function fileOf({ file = 'agent source' }: AgentSourceOptions): string {
  return file;
}

function wrongCount({ agents }: CheckedFile): Diagnostic {
  const [, second] = agents;
  if (!second) {
    return {
      code: 'no-agent',
      severity: 'error',
      message: 'The source holds no agent.',
      span: { start: 0, end: 0 },
      hint: 'write agent name { model = "…" }',
    };
  }
  return {
    code: 'several-agents',
    severity: 'error',
    message: `The source holds ${agents.length} agents, and compile() takes one.`,
    span: second.node.name.span,
    hint: 'compileAll() gives them all',
  };
}
