import { TOOL_NAME } from '../../messages/tool-name.js';
import { TOOL_INPUT } from '../expression-place.js';
import { quoted } from '../parsing/quoted.js';
import { isAgentProperty, TOOL_PROPERTY } from '../property-names.js';
import type { AssignmentNode, ExpressionNode, InputNode, ToolNode } from '../syntax-tree.js';
import { some } from './broken.js';
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
  let isInputLost = false;
  for (const { key, value, span } of assignments) {
    if (key.text !== TOOL_PROPERTY && key.text !== 'input' && readsArguments(value)) {
      if (!isInputLost) tellLostInput(key, problems);
      isInputLost = true;
    } else if (key.text !== TOOL_PROPERTY) tellUnknown(key, problems);
    else if (properties.add(key, problems))
      description = problems.within(span, () => readText(value, TOOL_PROPERTY, problems));
  }
  return description;
}

/** True for a field of the input, as no property of a tool reads its arguments. */
function readsArguments(value: ExpressionNode): boolean {
  return some(value, (node) => node.kind === 'variable' && node.name === 'tool_args');
}

/** Tells of the first of the fields that stand in a tool itself. */
function tellLostInput({ text, span }: AssignmentNode['key'], problems: Problems): void {
  problems.error('expected-input', span, `The field ${quoted(text)} stands outside of the tool's input.`, {
    hint: `write input { ${text} = … }`,
  });
}

function tellUnknown({ text, span }: AssignmentNode['key'], problems: Problems): void {
  const rest = isAgentProperty(text)
    ? 'it is a property of the agent: put it outside of the tool'
    : 'a tool has a description and an input { … }';
  const hint =
    text === 'input'
      ? 'write input { … }, without "="'
      : suggestion(problems.nearest(text, [TOOL_PROPERTY]), rest);
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
  for (const { key, value, span } of assignments) {
    checkName(key, problems);
    fields.add(key, problems);
    problems.within(span, () => checkExpression(value, TOOL_INPUT, problems));
  }
}
