import type { JsonSchema } from '../../operators/json-schema.js';
import { mapSubschemas } from './schema-nodes.js';

/**
 * A schema without the keywords a server refuses. Each removed one is told to the model in the description of its
 * place; the tool's own validation still enforces it. A refused `const` becomes an `enum` of one.
 */
export function withoutKeywords(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  if (keywords.length === 0) return schema;
  const refused = new Set(keywords);
  const strip = (node: JsonSchema): JsonSchema => describeRemoved(mapSubschemas(node, strip), refused);
  return strip(schema);
}

function describeRemoved(node: JsonSchema, refused: ReadonlySet<string>): JsonSchema {
  const kept: Record<string, unknown> = {};
  const removed: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (!refused.has(keyword)) kept[keyword] = value;
    else if (keyword === 'const' && !refused.has('enum')) kept['enum'] = [value];
    else removed.push(`${keyword}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  if (removed.length === 0) return kept;
  const note = `(${removed.join(', ')})`;
  const described = typeof node['description'] === 'string' ? node['description'] : '';
  return { ...kept, description: described ? `${described} ${note}` : note };
}
