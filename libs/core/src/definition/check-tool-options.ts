import { isForbiddenName } from '../language/evaluation/values.js';
import { InputMapping } from '../graph/input-mapping.js';
import { rule } from './broken-rule.js';

/** What is wrong with the options of a tool, which may come from plain JavaScript: field, value and rule. */
export function toolOptionProblems(name: string, options: unknown): string[] {
  const of = `of tool "${name}"`;
  if (!isRecord(options)) {
    return [rule(`the options ${of}`, options, 'an object such as { operator, description, input }')];
  }
  const { operator, description, input, parameters } = options;
  const problems = [
    operator !== undefined && (typeof operator !== 'string' || operator.trim() === '')
      ? rule(`operator ${of}`, operator, 'the name of a registered operator')
      : undefined,
    description !== undefined && typeof description !== 'string'
      ? rule(`description ${of}`, description, 'a text')
      : undefined,
    parameters !== undefined && !isRecord(parameters)
      ? rule(`parameters ${of}`, parameters, 'a JSON Schema such as { type: "object", properties: { … } }')
      : undefined,
    inputProblem(of, input),
  ];
  return problems.filter((problem) => problem !== undefined);
}

function inputProblem(of: string, input: unknown): string | undefined {
  if (input === undefined || typeof input === 'function' || input instanceof InputMapping) return undefined;
  if (!isRecord(input)) return rule(`input ${of}`, input, 'a function, or expressions by field');
  const forbidden = Object.keys(input).find(isForbiddenName);
  return forbidden === undefined
    ? undefined
    : `input ${of} has the field "${forbidden}", which is always null; give the field another name.`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
