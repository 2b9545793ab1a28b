import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import { toResponseFormat } from './response-schema.js';

const schema = {
  type: 'object',
  properties: { mood: { type: 'string' } },
  required: ['mood'],
  additionalProperties: false,
};

describe('toResponseFormat', () => {
  it.each([
    ['a JSON Schema', schema, 'answer'],
    ['a zod schema', z.strictObject({ mood: z.string() }), 'answer'],
    ['a named schema', { name: 'mood_report', schema }, 'mood_report'],
    ['a name that no provider takes', { name: 'mood report!', schema }, 'answer'],
  ])('takes %s', async (_, format, name) => {
    const made = toResponseFormat(format, 'support');
    expect(made).toMatchObject({ name, jsonSchema: schema });
    expect(Object.isFrozen(made)).toBe(true);
    expect(await made.validate({ mood: 'good' })).toEqual({ ok: true, value: { mood: 'good' } });
    expect(await made.validate({ mood: 7 })).toMatchObject({ ok: false, issues: [{ path: 'mood' }] });
  });

  it('gives what the schema makes of the answer', async () => {
    const made = toResponseFormat(z.object({ when: z.string().transform((text) => text.length) }), 'a');
    expect(await made.validate({ when: 'soon' })).toEqual({ ok: true, value: { when: 4 } });
  });

  it('takes a schema whose properties are called name and schema', () => {
    const properties = { name: { type: 'string' }, schema: { type: 'object' } };
    expect(toResponseFormat({ type: 'object', properties }, 'a').jsonSchema).toMatchObject({ properties });
  });

  it.each([
    ['a text', 'mood'],
    ['nothing', undefined],
    ['a class', class Mood {}],
    ['a named text', { name: 'mood', schema: 'string' }],
    ['a schema that is no object', { type: 'array' }],
  ])('refuses %s, naming the agent', (_, format) => {
    const make = (): unknown => toResponseFormat(format as never, 'support');
    expect(make).toThrow(InvalidSchemaException);
    expect(make).toThrow(/responseFormat of agent "support"/);
  });
});
