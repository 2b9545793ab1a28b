import { TOOL_NAME } from '../../messages/tool-name.js';
import { TOOL_INPUT } from '../expression-place.js';
import { quoted } from '../parsing/quoted.js';
import type { AssignmentNode, InputNode, ToolNode } from '../syntax-tree.js';
import type { CheckedTool } from './checked-file.js';
import { checkExpression, checkName } from './expression.checks.js';
import { FirstNamed } from './first-named.js';
import { checkOperator } from './operator.checks.js';
import type { OperatorCatalog } from './operator-catalog.js';
import type { Problems } from './problems.js';
import { suggestion } from './suggestion.js';
import { readText } from './value-readers.js';

/** @param operators null: names of operators are not judged. */
export function checkTool(
  node: ToolNode,
  operators: OperatorCatalog | null,
  problems: Problems,
): CheckedTool {
  const { name, operator, body } = node;
  if (isGiven(name.span) && !TOOL_NAME.test(name.text)) {
    problems.error('invalid-tool-name', name.span, `${quoted(name.text)} cannot be the name of a tool.`, {
      hint: 'models accept 1 to 64 letters a to z, digits, "_" and "-"',
    });
  }
  const description = checkProperties(
    body.filter((item) => item.kind === 'assignment'),
    problems,
  );
  const inputs = body.filter((item) => item.kind === 'input');
  const [input] = inputs;
  tellSecondInput(inputs, problems);
  for (const { assignments } of inputs) checkAssignments(assignments, problems);
  if (isGiven(operator.span) && operators) checkOperator(operator, input, operators, problems);
  return { node, description: description ?? node.doc ?? '', input: input?.assignments };
}

/** False for a name that is missing, of which the parser has told. */
export function isGiven({ start, end }: ToolNode['span']): boolean {
  return end > start;
}

/** Gives the description. */
function checkProperties(assignments: readonly AssignmentNode[], problems: Problems): string | undefined {
  const properties = new FirstNamed('duplicate-property', 'The property');
  let description: string | undefined;
  for (const { key, value } of assignments) {
    if (key.text !== 'description') tellUnknown(key, problems);
    else if (properties.add(key, problems)) description = readText(value, 'description', problems);
  }
  return description;
}

function tellUnknown({ text, span }: AssignmentNode['key'], problems: Problems): void {
  const rest = 'a tool has a description and an input { … }';
  const hint =
    text === 'input'
      ? 'write input { … }, without "="'
      : suggestion(problems.nearest(text, ['description']), rest);
  problems.error('unknown-property', span, `${quoted(text)} is no property of a tool.`, { hint });
}

function tellSecondInput([first, second]: readonly InputNode[], problems: Problems): void {
  if (!first || !second) return;
  const keyword = ({ span: { start } }: InputNode): InputNode['span'] => ({
    start,
    end: start + 'input'.length,
  });
  problems.error('duplicate-input', keyword(second), 'A tool has one input.', {
    hint: 'put all assignments into one block',
    related: [{ message: 'first declared here', span: keyword(first) }],
  });
}

function checkAssignments(assignments: readonly AssignmentNode[], problems: Problems): void {
  const fields = new FirstNamed('duplicate-field', 'The field');
  for (const { key, value } of assignments) {
    checkName(key, problems);
    fields.add(key, problems);
    checkExpression(value, TOOL_INPUT, problems);
  }
}
