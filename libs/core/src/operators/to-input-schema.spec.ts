import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { InputSchema } from './input-schema.js';
import { toInputSchema } from './to-input-schema.js';
import { parseToolArguments } from './tool-arguments.js';

const WHERE = 'operator "search" (KnowledgeBase.search)';

describe('toInputSchema', () => {
  it('makes a zod schema ready', () => {
    const input = toInputSchema(z.object({ query: z.string(), limit: z.int().min(1).default(5) }), WHERE);
    expect(input.jsonSchema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string' },
        limit: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 5 },
      },
      required: ['query'],
    });
    expect(input.validate({ query: 'x' })).toEqual({ ok: true, value: { query: 'x', limit: 5 } });
    expect(input.validate({})).toMatchObject({ ok: false, issues: [{ path: 'query' }] });
    expect(Object.isFrozen(input.jsonSchema['properties'])).toBe(true);
  });

  it('makes a JSON Schema ready', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { type: 'string' } },
    };
    const input = toInputSchema(schema, WHERE);
    expect(input.jsonSchema).toEqual({ type: 'object', properties: schema.properties });
    expect(input.validate({ a: 1 })).toEqual({
      ok: false,
      issues: [{ path: 'a', message: 'must be string' }],
    });
  });

  it('takes one that is ready made', () => {
    const own: InputSchema = {
      jsonSchema: { $schema: 'x', type: 'object' },
      validate: (value) => ({ ok: true, value: [value] }),
    };
    const input = toInputSchema(own, WHERE);
    expect(input.jsonSchema).toEqual({ type: 'object', properties: {} });
    expect(input.validate({})).toEqual({ ok: true, value: [{}] });
    expect(toInputSchema(input, WHERE)).toBe(input);
  });

  it('is made once per schema object', () => {
    const schema = z.object({ a: z.string() });
    const json = { type: 'object' };
    expect(toInputSchema(schema, WHERE)).toBe(toInputSchema(schema, 'another operator'));
    expect(toInputSchema(json, WHERE)).toBe(toInputSchema(json, WHERE));
    expect(toInputSchema(json, WHERE, { lenient: true })).not.toBe(toInputSchema(json, WHERE));
  });

  it('gives the transformed value to the operator and shows the model what goes in', () => {
    const input = toInputSchema(z.object({ day: z.iso.date().transform((day) => new Date(day)) }), WHERE);
    expect(input.jsonSchema).toMatchObject({ properties: { day: { type: 'string' } } });
    expect(input.validate({ day: '2026-11-30' })).toEqual({
      ok: true,
      value: { day: new Date('2026-11-30') },
    });
  });

  it('passes references and cycles', () => {
    interface Node {
      v: string;
      kids: Node[];
    }
    const node: z.ZodType<Node> = z.object({
      v: z.string(),
      get kids() {
        return z.array(node);
      },
    });
    const input = toInputSchema(node, WHERE);
    expect(JSON.stringify(input.jsonSchema)).toContain('"$ref":"#"');
    expect(input.validate({ v: 'a', kids: [{ v: 'b', kids: [] }] })).toMatchObject({ ok: true });
    const raw = toInputSchema(
      JSON.parse(JSON.stringify(input.jsonSchema)) as object as InputSchema['jsonSchema'],
      WHERE,
    );
    expect(raw.validate({ v: 'a', kids: [{ v: 'b', kids: [{}] }] })).toMatchObject({
      ok: false,
      issues: [{ path: 'kids[0].kids[0].v' }, { path: 'kids[0].kids[0].kids' }],
    });
  });

  it('B96: takes null for an optional property as not given', () => {
    const schema = z.object({
      q: z.string(),
      limit: z.number().optional(),
      size: z.number().default(2),
      note: z.string().nullish(),
      f: z.object({ a: z.string().optional() }).optional(),
    });
    const sent = { q: 'x', limit: null, size: null, note: null, f: { a: null } };
    const before = structuredClone(sent);
    expect(toInputSchema(schema, WHERE).validate(sent)).toEqual({
      ok: true,
      value: { q: 'x', size: 2, note: null, f: {} },
    });
    expect(sent).toEqual(before);
    const json = {
      type: 'object',
      required: ['q'],
      properties: { q: { type: 'string' }, n: { type: 'number' } },
    };
    expect(toInputSchema(json, WHERE).validate({ q: null, n: null })).toEqual({
      ok: false,
      issues: [{ path: 'q', message: 'must be string' }],
    });
  });

  it('B59: an id beyond 2^53 reaches the operator with all its digits', () => {
    const parsed = parseToolArguments('{"id":9007199254740993}');
    const sent = parsed.ok ? parsed.value : undefined;
    const id = toInputSchema(z.object({ id: z.string().transform(BigInt) }), WHERE);
    const number = toInputSchema(z.object({ id: z.int() }), WHERE);
    expect(id.validate(sent)).toEqual({ ok: true, value: { id: 9007199254740993n } });
    expect(number.validate(sent)).toMatchObject({ ok: false, issues: [{ path: 'id' }] });
  });

  it('makes an issue of a check that throws or rejects', async () => {
    const jsonSchema = { type: 'object' };
    const throwing = toInputSchema(
      {
        jsonSchema,
        validate: () => {
          throw new Error('no database');
        },
      },
      WHERE,
    );
    const rejecting = toInputSchema({ jsonSchema, validate: () => Promise.reject(new Error('gone')) }, WHERE);
    expect(throwing.validate({})).toEqual({
      ok: false,
      issues: [{ path: '', message: 'cannot be checked: no database' }],
    });
    await expect(rejecting.validate({})).resolves.toEqual({
      ok: false,
      issues: [{ path: '', message: 'cannot be checked: gone' }],
    });
  });

  it('makes an issue of a schema that never comes to an end', () => {
    const endless = { type: 'object', properties: {}, allOf: [{ $ref: '#' }] };
    expect(toInputSchema(endless, WHERE).validate({})).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining('cannot be checked') }],
    });
  });

  it('B75: shows an unusual schema of a remote tool and checks what it can', () => {
    const odd = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '(?=a)b' }, n: { type: 'number' } },
      anyOf: [{ required: ['a'] }, { required: ['n'] }],
    };
    expect(() => toInputSchema(odd, WHERE)).toThrow(InvalidSchemaException);
    const input = toInputSchema(odd, WHERE, { lenient: true });
    expect(input.jsonSchema).toEqual(odd);
    expect(input.validate({ a: 'x' })).toMatchObject({ ok: true });
    expect(input.validate({})).toMatchObject({ ok: false });
  });

  it.each<[string, unknown, string]>([
    ['a class', class OrderDto {}, 'the function or class "OrderDto" is no schema'],
    ['null', null, 'null is no schema'],
    ['a boolean', true, 'true is no schema'],
    ['an array', [], '[] is no schema'],
    ['a zod string', z.string(), 'its root must describe an object, not type "string"'],
    ['an optional object or null', z.object({}).nullable(), 'its root must describe an object'],
  ])('refuses %s', (_name, schema, problem) => {
    const make = (): unknown => toInputSchema(schema as InputSchema, WHERE);
    expect(make).toThrow(InvalidSchemaException);
    expect(make).toThrow(`The schema of ${WHERE} cannot be used: ${problem}`);
  });
});
