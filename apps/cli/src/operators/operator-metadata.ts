import type { OperatorDescription } from '@nestor/http';
import { CliError } from '../cli.error.js';

/** What the language and the model need of an operator in an `operator-metadata.json`. */
export type KnownOperator = Pick<
  OperatorDescription,
  'name' | 'description' | 'kind' | 'parameters' | 'promptHint' | 'usageExample' | 'constraintsDescription'
>;

const KINDS: ReadonlySet<unknown> = new Set<KnownOperator['kind']>(['tool', 'model', 'agent']);
const HINTS = ['promptHint', 'usageExample', 'constraintsDescription'] as const;

/**
 * Reads the text of an `operator-metadata.json`. Fields beside those that are needed stay.
 * @param where whose text it is, for errors
 * @throws CliError if it is no such thing
 */
export function parseOperatorMetadata(text: string, where: string): readonly KnownOperator[] {
  const operators = parseJson(text, where);
  if (!Array.isArray(operators)) {
    throw new CliError(`${where} is no list of operators. "nestor metadata" writes one.`);
  }
  const names = new Set<string>();
  return operators.map((value: unknown, index) => {
    const problem = problemOf(value);
    const name =
      typeof value === 'object' && value !== null && 'name' in value
        ? ` (${JSON.stringify(value.name)})`
        : '';
    if (problem !== undefined) {
      throw new CliError(
        `${where}: operator ${index + 1}${name} ${problem}. Write the file again with "nestor metadata".`,
      );
    }
    const operator = value as KnownOperator;
    if (names.has(operator.name)) throw new CliError(`${where} has the operator "${operator.name}" twice.`);
    names.add(operator.name);
    return operator;
  });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')); // some editors write a byte order mark
  } catch {
    throw new CliError(`${where} is no JSON. "nestor metadata" writes it.`);
  }
}

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'is no object';
  const { name, description, kind, parameters } = value;
  if (typeof name !== 'string' || name === '') return 'has no name';
  if (typeof description !== 'string') return 'has no description';
  if (!KINDS.has(kind)) return 'has a kind that is neither "tool", "agent" nor "model"';
  if (parameters !== null && !isObject(parameters))
    return 'has parameters that are neither a JSON Schema nor null';
  const hint = HINTS.find((field) => value[field] !== undefined && typeof value[field] !== 'string');
  return hint && `has a ${hint} that is no text`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
