import type { StandardSchemaV1 } from '@standard-schema/spec';
import { InvalidSchemaException } from '../errors/invalid-schema.exception.js';
import type { InputSchema, InputValidation } from './input-schema.js';
import { failedValidation } from './issue-list.js';
import type { JsonSchema } from './json-schema.js';
import { jsonSchemaCheck, lenientJsonSchemaCheck } from './json-schema.validator.js';
import { objectSchema } from './object-schema.js';
import { optionalNullDropper } from './optional-nulls.js';
import { isStandardSchema, standardCheck, standardJsonSchema } from './standard-schema.js';
import { thrownMessage } from './tool-error.js';

/** What an operator may give as its schema: zod 4 or any Standard Schema, a JSON Schema, or one that is ready made. */
export type SchemaLike = StandardSchemaV1 | JsonSchema | InputSchema;

export interface ToInputSchemaOptions {
  /**
   * For JSON Schemas that others wrote (remote tools): what cannot be checked here is shown to the model all the same
   * instead of being an error. Default false.
   */
  readonly lenient?: boolean;
}

type Check = InputSchema['validate'];

// One schema is often given to several operators, and made ready again for each agent that names them.
const ready = new WeakMap<object, InputSchema>();
const readyLenient = new WeakMap<object, InputSchema>();

/**
 * Makes a schema ready at definition time: its JSON form for the model, frozen, with an object at the root, and a
 * check that never throws or rejects. A null that a model sends for an optional property counts as not given.
 * Made once per schema object.
 * @param where whose schema it is, for errors, e.g. `operator "search" (KnowledgeBase.search)`.
 * @throws InvalidSchemaException if it cannot be shown to a model or cannot be checked.
 */
export function toInputSchema(
  schema: SchemaLike,
  where: string,
  options: ToInputSchemaOptions = {},
): InputSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) {
    throw notASchema(schema, where);
  }
  const cache = options.lenient ? readyLenient : ready;
  let made = cache.get(schema);
  if (!made) {
    made = make(schema, where, options.lenient ?? false);
    cache.set(schema, made);
    cache.set(made, made);
  }
  return made;
}

function make(schema: SchemaLike, where: string, lenient: boolean): InputSchema {
  if (isStandardSchema(schema)) {
    return assemble(objectSchema(standardJsonSchema(schema, where), where), standardCheck(schema));
  }
  if (isInputSchema(schema)) {
    return assemble(objectSchema(schema.jsonSchema, where), (value) => schema.validate(value));
  }
  if (typeof schema === 'function' || Array.isArray(schema)) throw notASchema(schema, where);
  const json = objectSchema(schema, where);
  const declared = schema['$schema'];
  const check = lenient ? lenientJsonSchemaCheck(json, declared) : jsonSchemaCheck(json, declared, where);
  return assemble(json, check);
}

function assemble(jsonSchema: JsonSchema, check: Check): InputSchema {
  const dropOptionalNulls = optionalNullDropper(jsonSchema);
  const validate = (value: unknown): InputValidation | Promise<InputValidation> => {
    try {
      const result = check(dropOptionalNulls(value));
      return result instanceof Promise ? result.catch(thrownValidation) : result;
    } catch (error) {
      return thrownValidation(error);
    }
  };
  return Object.freeze({ jsonSchema, validate });
}

function thrownValidation(error: unknown): InputValidation {
  return failedValidation([{ path: '', message: `cannot be checked: ${thrownMessage(error)}` }]);
}

function isInputSchema(schema: object): schema is InputSchema {
  return (
    'validate' in schema &&
    typeof schema.validate === 'function' &&
    'jsonSchema' in schema &&
    typeof schema.jsonSchema === 'object' &&
    schema.jsonSchema !== null
  );
}

function notASchema(value: unknown, where: string): InvalidSchemaException {
  const kind = typeof value === 'function' ? `the function or class "${value.name}"` : JSON.stringify(value);
  return new InvalidSchemaException({
    where,
    problem: `${kind} is no schema`,
    remedy: 'Give a zod 4 or other Standard Schema, a JSON Schema object, or { jsonSchema, validate }.',
  });
}
