import { InvalidSchemaException } from '../../errors/invalid-schema.exception.js';
import { toInputSchema } from '../../operators/to-input-schema.js';
import type { ExpressionNode } from '../syntax-tree.js';
import { isBroken, some } from './broken.js';
import { constantOf } from './constant.js';
import { checkExpression } from './expression.checks.js';
import type { Problems } from './problems.js';
import { refuse, type Reader } from './value-readers.js';

const PLACE = { name: 'response_format', variables: [], functions: [] };

/** The time to make a schema's check ready grows faster than the schema. */
const MOST_ENTRIES = 5_000;

/** Reads a JSON Schema, written as an object. */
export const readResponseFormat: Reader<Readonly<Record<string, unknown>>> = (node, property, problems) => {
  const schema = constantOf(node);
  if (isRecord(schema) && isTooLarge(node)) {
    const message = `"${property}" has more than ${MOST_ENTRIES} entries in all.`;
    problems.error('schema-too-large', node.span, message, { hint: 'ask for fewer fields' });
    return undefined;
  }
  if (isRecord(schema)) return usable(node, schema, problems);
  return refuse(node, property, problems, {
    must: 'be a JSON Schema without variables, such as { type: "object", properties: { … } }',
  });
};

function usable(
  node: ExpressionNode,
  schema: Readonly<Record<string, unknown>>,
  problems: Problems,
): Readonly<Record<string, unknown>> | undefined {
  const before = problems.list.length;
  checkExpression(node, PLACE, problems);
  if (problems.list.length > before || isBroken(node)) return undefined;
  try {
    toInputSchema(schema, 'response_format');
    return schema;
  } catch (error) {
    if (!(error instanceof InvalidSchemaException)) throw error;
    problems.error('invalid-schema', node.span, error.message);
    return undefined;
  }
}

function isTooLarge(root: ExpressionNode): boolean {
  let entries = 0;
  return some(root, (node) => {
    if (node.kind === 'object') entries += node.entries.length;
    return entries > MOST_ENTRIES;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
