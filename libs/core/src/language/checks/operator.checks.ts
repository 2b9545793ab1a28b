import { InvalidSchemaException } from '../../errors/invalid-schema.exception.js';
import type { JsonSchema } from '../../operators/json-schema.js';
import { jsonSchemaCheck } from '../../operators/json-schema.validator.js';
import { quoted } from '../parsing/quoted.js';
import type { InputNode, NameNode } from '../syntax-tree.js';
import { toolOperators, type OperatorCatalog } from './operator-catalog.js';
import type { Problems } from './problems.js';
import { requiredOf, schemaProperties } from './schema-properties.js';
import { listed, suggestion } from './suggestion.js';

/** Checks that a tool's operator exists and can be one, and that its input fits what the operator takes. */
export function checkOperator(
  operator: NameNode,
  input: InputNode | undefined,
  operators: OperatorCatalog,
  problems: Problems,
): void {
  const name = operator.text;
  if (!operators.has(name)) {
    const known = toolOperators(operators);
    const meant = problems.nearest(name, known);
    const hint = `${meant === undefined ? '' : `did you mean "${meant}"? `}the operators are ${listed(known)}`;
    problems.error('unknown-operator', operator.span, `There is no operator ${quoted(name)}.`, { hint });
    return;
  }
  const { kind, input: schema } = operators.metadata(name);
  if (kind === 'model') {
    problems.error(
      'operator-is-no-tool',
      operator.span,
      `The operator ${quoted(name)} calls a model; it is no tool.`,
      {
        hint: 'name the operator that does the work',
      },
    );
    return;
  }
  if (!schema) return;
  if (schema.unchecked) tellBadSchema(operator, schema.jsonSchema, problems);
  if (input) checkFields(name, input, schema.jsonSchema, problems);
}

/** What is wrong with a schema, or null: an editor asks again with each key. */
const JUDGED = new WeakMap<JsonSchema, string | null>();

function tellBadSchema({ text, span }: NameNode, schema: JsonSchema, problems: Problems): void {
  const known = JUDGED.get(schema);
  const problem = known === undefined ? schemaProblem(schema, `the operator ${quoted(text)}`) : known;
  JUDGED.set(schema, problem);
  if (problem === null) return;
  problems.warning('invalid-schema', span, problem, { hint: 'correct the operator, not the agent' });
}

function schemaProblem(schema: JsonSchema, where: string): string | null {
  try {
    jsonSchemaCheck(schema, schema['$schema'], where);
    return null;
  } catch (error) {
    if (error instanceof InvalidSchemaException) return error.message;
    throw error;
  }
}

function checkFields(operator: string, input: InputNode, schema: JsonSchema, problems: Problems): void {
  const known = Object.keys(schemaProperties(schema));
  if (known.length === 0) return;
  const given = new Set(input.assignments.map(({ key }) => key.text));
  const meant = new Set<string>();
  for (const { key } of isOpen(schema) ? [] : input.assignments) {
    if (known.includes(key.text)) continue;
    const nearest = problems.nearest(
      key.text,
      known.filter((name) => !given.has(name)),
    );
    if (nearest !== undefined) meant.add(nearest);
    const hint = suggestion(nearest, `it takes ${listed(known)}`);
    const message = `The operator ${quoted(operator)} takes no ${quoted(key.text)}.`;
    if (schema['additionalProperties'] === false)
      problems.error('unknown-field', key.span, message, { hint });
    else problems.warning('unknown-field', key.span, message, { hint });
  }
  const forgotten = requiredOf(schema).filter((name) => !given.has(name) && !meant.has(name));
  if (forgotten.length === 0 || !problems.isWhole(input.span)) return;
  const span = { start: input.span.start, end: input.span.start + 'input'.length };
  const names = listed(forgotten.map(quoted));
  problems.error(
    'missing-field',
    span,
    `The operator ${quoted(operator)} needs ${names}, which the input does not fill.`,
    {
      hint: `add ${forgotten.map((name) => `${name} = …`).join(', ')}`,
    },
  );
}

/** True if the schema says that it takes other fields too. */
function isOpen(schema: JsonSchema): boolean {
  const { additionalProperties, patternProperties } = schema;
  const isSaid = additionalProperties !== undefined && additionalProperties !== false;
  return isSaid || patternProperties !== undefined;
}
