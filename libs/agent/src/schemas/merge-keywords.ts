import type { JsonSchema } from '@nestor/core';

/**
 * Several validators' keywords as one schema: the narrower of two bounds or types; where else two say different
 * things with one keyword, the second is told in the description, for both are checked.
 */
export function mergeKeywords(parts: readonly JsonSchema[]): Record<string, unknown> {
  const schema: Record<string, unknown> = {};
  const notes: unknown[] = [];
  for (const [keyword, value] of parts.flatMap((part) => Object.entries(part))) {
    if (keyword === 'description') notes.push(value);
    else if (!(keyword in schema)) schema[keyword] = value;
    else if (keyword === 'type') schema['type'] = narrowerType(schema['type'], value);
    else if (typeof value === 'number') schema[keyword] = narrowerBound(keyword, schema[keyword], value);
    else if (JSON.stringify(schema[keyword]) !== JSON.stringify(value)) {
      notes.push(`(${keyword}: ${typeof value === 'string' ? value : JSON.stringify(value)})`);
    }
  }
  return notes.length > 0 ? { ...schema, description: notes.join(' ') } : schema;
}

function narrowerType(first: unknown, second: unknown): unknown {
  return first === 'number' && second === 'integer' ? second : first;
}

function narrowerBound(keyword: string, first: unknown, second: number): number {
  return /max/i.test(keyword) ? Math.min(Number(first), second) : Math.max(Number(first), second);
}
