import { describe, expect, it } from 'vitest';
import { withoutKeywords } from './schema-keywords.js';

describe('withoutKeywords', () => {
  it('B98: moves refused keywords to the description of their place', () => {
    const schema = {
      type: 'object',
      properties: {
        tags: { type: 'array', maxItems: 3, items: { type: 'string', pattern: '(?=a)b' } },
        link: { type: 'string', format: 'uri', description: 'Where to look.' },
        kind: { const: 'page' },
      },
    };
    expect(withoutKeywords(schema, ['maxItems', 'pattern', 'format', 'const'])).toEqual({
      type: 'object',
      properties: {
        tags: {
          type: 'array',
          items: { type: 'string', description: '(pattern: (?=a)b)' },
          description: '(maxItems: 3)',
        },
        link: { type: 'string', description: 'Where to look. (format: uri)' },
        kind: { enum: ['page'] },
      },
    });
    expect(schema.properties.tags.maxItems).toBe(3);
  });

  it('leaves properties that are merely called like a keyword', () => {
    const schema = { type: 'object', properties: { format: { type: 'string' }, const: { type: 'number' } } };
    expect(withoutKeywords(schema, ['format', 'const'])).toEqual(schema);
  });

  it('B104: passes boolean nodes through and reaches every level', () => {
    const schema = {
      type: 'object',
      additionalProperties: true,
      properties: { any: true, list: { items: true }, none: { not: { format: 'date' } } },
      $defs: { d: { anyOf: [{ format: 'date' }, false] } },
    };
    expect(withoutKeywords(schema, ['format'])).toEqual({
      type: 'object',
      additionalProperties: true,
      properties: { any: true, list: { items: true }, none: { not: { description: '(format: date)' } } },
      $defs: { d: { anyOf: [{ description: '(format: date)' }, false] } },
    });
  });

  it('gives the same schema when nothing is refused', () => {
    const schema = { type: 'object' };
    expect(withoutKeywords(schema, [])).toBe(schema);
  });
});
