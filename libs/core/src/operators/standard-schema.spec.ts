import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import { isStandardSchema, standardCheck, standardJsonSchema } from './standard-schema.js';

const jsonOf = (schema: z.ZodType): Record<string, unknown> => standardJsonSchema(schema, 'operator "book"');

describe('isStandardSchema', () => {
  it('knows schemas by their mark, objects and functions alike', () => {
    const callable = Object.assign(() => 1, { '~standard': z.string()['~standard'] });
    expect(isStandardSchema(z.string())).toBe(true);
    expect(isStandardSchema(callable)).toBe(true);
    expect(isStandardSchema({ type: 'object' })).toBe(false);
    expect(isStandardSchema({ '~standard': null })).toBe(false);
  });
});

describe('standardJsonSchema', () => {
  it('shows what goes in, before transforms and defaults', () => {
    const schema = z.object({
      day: z.iso.date().transform((day) => new Date(day)),
      n: z.number().default(3),
    });
    expect(jsonOf(schema)).toMatchObject({
      type: 'object',
      properties: { day: { type: 'string', format: 'date' }, n: { type: 'number', default: 3 } },
      required: ['day'],
    });
  });

  it('B102: shows unions and tuples as they are', () => {
    const schema = z.object({
      id: z.union([z.string(), z.object({ ref: z.string() })]),
      at: z.tuple([z.number(), z.string()]),
    });
    expect(jsonOf(schema)['properties']).toMatchObject({
      id: { anyOf: [{ type: 'string' }, { type: 'object', properties: { ref: { type: 'string' } } }] },
      at: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] },
    });
  });

  it.each([
    ['a date', z.object({ trip: z.object({ day: z.date() }) }), 'Date', 'trip.day'],
    ['a bigint in a union', z.object({ id: z.union([z.string(), z.bigint()]) }), 'BigInt', 'id.anyOf[1]'],
    ['a function', z.object({ f: z.function() }), 'Function', 'f'],
    ['a map', z.object({ m: z.map(z.string(), z.string()) }), 'Map', 'm'],
  ])('B102: refuses %s and says where it is', (_name, schema, problem, path) => {
    let error: unknown;
    try {
      jsonOf(schema);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(InvalidSchemaException);
    expect(error).toMatchObject({ where: 'operator "book"', path });
    expect(String(error)).toContain(
      `The schema of operator "book" cannot be used (at "${path}"): ${problem}`,
    );
    expect(String(error)).toContain('use z.iso.datetime()');
  });

  it('asks for draft 7 where 2020-12 is not known', () => {
    const { validate } = z.string()['~standard'];
    const input = ({ target }: { target: string }): Record<string, unknown> => {
      if (target !== 'draft-07') throw new Error('unsupported target');
      return { type: 'object' };
    };
    const schema = {
      '~standard': { version: 1 as const, vendor: 'other', validate, jsonSchema: { input, output: input } },
    };
    expect(standardJsonSchema(schema, 'x')).toEqual({ type: 'object' });
  });

  it('says what to do for a library without a JSON form', () => {
    const { validate } = z.string()['~standard'];
    const schema = { '~standard': { version: 1 as const, vendor: 'plainlib', validate } };
    expect(() => standardJsonSchema(schema, 'operator "x"')).toThrow(
      /operator "x" .* "plainlib" gives it no JSON form .*zod 4\.2.* or give \{ jsonSchema, validate \}/,
    );
  });
});

describe('standardCheck', () => {
  it('gives the value with transforms and defaults applied', () => {
    const check = standardCheck(
      z.object({ n: z.number().default(3), t: z.string().transform((t) => t.length) }),
    );
    expect(check({ t: 'four' })).toEqual({ ok: true, value: { n: 3, t: 4 } });
  });

  it('gives the path of each problem', () => {
    const check = standardCheck(z.object({ items: z.array(z.object({ price: z.number() })) }));
    expect(check({ items: [{ price: 1 }, { price: 'x' }] })).toEqual({
      ok: false,
      issues: [{ path: 'items[1].price', message: 'Invalid input: expected number, received string' }],
    });
  });

  it('reads segments that are objects, and issues without a path', () => {
    const issues = [{ message: 'a', path: [{ key: 'list' }, { key: 0 }] }, { message: 'b' }];
    const schema = { '~standard': { version: 1 as const, vendor: 'other', validate: () => ({ issues }) } };
    expect(standardCheck(schema)({})).toEqual({
      ok: false,
      issues: [
        { path: 'list[0]', message: 'a' },
        { path: '', message: 'b' },
      ],
    });
  });

  it('waits for checks that take time', async () => {
    const schema = z.object({ id: z.string().refine((id) => Promise.resolve(id !== 'taken'), 'is taken') });
    await expect(standardCheck(schema)({ id: 'free' })).resolves.toEqual({ ok: true, value: { id: 'free' } });
    await expect(standardCheck(schema)({ id: 'taken' })).resolves.toEqual({
      ok: false,
      issues: [{ path: 'id', message: 'is taken' }],
    });
  });
});
