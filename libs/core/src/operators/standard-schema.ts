import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { InputValidation } from './input-schema.js';
import { failedValidation, issuePath } from './issue-list.js';
import { thrownMessage } from './tool-error.js';

const NO_JSON_FORM =
  'Use a version of the library that has one (zod 4.2, ArkType 2.1.28, Valibot with toStandardJsonSchema), ' +
  'or give { jsonSchema, validate } yourself.';
const NOT_REPRESENTABLE =
  'A model can only send JSON: use z.iso.datetime() for a date, z.string() or z.int() for a bigint, an array for a ' +
  'set or a map, and a transform if the operator wants another type.';

/** True for the schemas of zod, Valibot, ArkType and all that follow the Standard Schema specification. */
export function isStandardSchema(value: object): value is StandardSchemaV1 {
  const standard = '~standard' in value ? value['~standard'] : undefined;
  return (
    typeof standard === 'object' &&
    standard !== null &&
    'validate' in standard &&
    typeof standard.validate === 'function'
  );
}

/**
 * The JSON Schema of what goes in (before transforms and defaults).
 * @throws InvalidSchemaException if the library or the schema has no JSON form.
 */
export function standardJsonSchema(schema: StandardSchemaV1, where: string): Record<string, unknown> {
  const { vendor } = schema['~standard'];
  if (!hasJsonForm(schema)) {
    const problem = `the library "${vendor}" gives it no JSON form (~standard.jsonSchema)`;
    throw new InvalidSchemaException({ where, problem, remedy: NO_JSON_FORM });
  }
  const converter = schema['~standard'].jsonSchema;
  try {
    return converter.input({ target: 'draft-2020-12' });
  } catch (cause) {
    try {
      return converter.input({ target: 'draft-07' });
    } catch {
      const path = unrepresentablePath(converter);
      const problem = thrownMessage(cause).replace(/\.$/, '');
      throw new InvalidSchemaException({ where, problem, remedy: NOT_REPRESENTABLE, path, cause });
    }
  }
}

/** Checks a value with the library's own validator. */
export function standardCheck(
  schema: StandardSchemaV1,
): (value: unknown) => InputValidation | Promise<InputValidation> {
  const standard = schema['~standard'];
  return (value) => {
    const result = standard.validate(value);
    return result instanceof Promise ? result.then(toValidation) : toValidation(result);
  };
}

function toValidation(result: StandardSchemaV1.Result<unknown>): InputValidation {
  if (!result.issues) return { ok: true, value: result.value };
  return failedValidation(
    result.issues.map(({ path = [], message }) => ({
      path: issuePath(path.map((segment) => (typeof segment === 'object' ? segment.key : segment))),
      message,
    })),
  );
}

function hasJsonForm(schema: object): schema is StandardJSONSchemaV1 {
  const { jsonSchema } = (schema as Partial<StandardJSONSchemaV1>)['~standard'] ?? {};
  return typeof jsonSchema?.input === 'function';
}

/** zod says what it cannot represent but not where; asked again with a hook of its own, it tells the path. */
function unrepresentablePath(converter: StandardJSONSchemaV1.Converter): string | undefined {
  let path: string | undefined;
  const unrepresentable = (context: { readonly path?: readonly PropertyKey[] }): 'throw' => {
    path = context.path && issuePath(context.path.filter((segment) => segment !== 'properties'));
    return 'throw';
  };
  try {
    converter.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable } });
  } catch {
    // It throws again, as before: the path is what was wanted.
  }
  return path;
}
