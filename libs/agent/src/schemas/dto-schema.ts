import type { ValidationError } from 'class-validator';
import { InvalidSchemaException, toInputSchema, type InputSchema, type JsonSchema } from '@nestor/core';
import { isDtoClass, type DtoClass } from './dto-class.js';
import { DtoSchemaWriter } from './dto-json-schema.js';
import { dtoPackages, type DtoPackages } from './dto-packages.js';
import { presenceIssues, type DtoFields, type DtoIssue } from './dto-presence.js';

type Validation = { readonly value: unknown } | { readonly issues: readonly DtoIssue[] };

/** Unknown properties are dropped, at every depth, as Nest's ValidationPipe does with `whitelist`. */
const OPTIONS = { whitelist: true };

// One DTO is often the input of several operators.
const ready = new WeakMap<DtoClass, InputSchema>();

/**
 * A class-validator DTO class as an input schema. The model is shown what the decorators say (class-validator's,
 * `@Type`, `@Expose`, and the words of `@ApiProperty`); its arguments become an instance of the class, transforms
 * applied once, and are checked by class-validator. Properties without a decorator are dropped. Made once per class.
 * @param where whose schema it is, for errors, e.g. `operator "order" (Shop.order)`.
 * @throws InvalidSchemaException naming class and field: for an array of nobody knows what, a nested class without
 * `@Type`, a Date without `@Type(() => Date)`, a constructor that needs arguments, or a package that is missing.
 */
export function dtoInputSchema(type: DtoClass, where: string): InputSchema {
  let made = ready.get(type);
  if (!made) {
    made = make(type, where);
    ready.set(type, made);
  }
  return made;
}

function make(type: DtoClass, where: string): InputSchema {
  if (!isDtoClass(type)) throw notADto(type, where);
  const packages = dtoPackages(where);
  const writer = new DtoSchemaWriter(packages, where);
  const json = writer.write(type);
  const check = checkOf(type, writer.fields, packages);
  // A Standard Schema, so that core cuts issues, drops optional nulls and catches what transforms throw.
  return toInputSchema(standardSchema(json, check), where);
}

function standardSchema(
  json: JsonSchema,
  validate: (value: unknown) => Validation | Promise<Validation>,
): JsonSchema {
  const jsonSchema = { input: () => json, output: () => json };
  return { '~standard': { version: 1, vendor: 'class-validator', validate, jsonSchema } };
}

function checkOf(
  type: DtoClass,
  fields: DtoFields,
  { plainToInstance, validate }: DtoPackages,
): (value: unknown) => Validation | Promise<Validation> {
  const isClonedFirst = removesTags(fields);
  return async (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { issues: [{ path: [], message: 'must be an object' }] };
    }
    // Transforms run once: what is an instance already has been through them.
    const instance =
      value instanceof type ? value : plainToInstance(type, isClonedFirst ? structuredClone(value) : value);
    const errors = await validate(instance, OPTIONS);
    const issues =
      errors.length > 0
        ? errors.flatMap((error) => issuesOf(error, fields, []))
        : presenceIssues(instance, fields, []);
    return issues.length > 0 ? { issues } : { value: instance };
  };
}

/** class-transformer deletes discriminators from the value it is given, which is not ours. */
function removesTags(fields: DtoFields): boolean {
  return [...fields.values()]
    .flat()
    .some(({ typed }) => typed?.options.discriminator && !typed.options.keepDiscriminatorProperty);
}

function issuesOf(error: ValidationError, fields: DtoFields, parent: readonly PropertyKey[]): DtoIssue[] {
  const path = [...parent, segmentOf(error, fields)];
  const own = Object.values(error.constraints ?? {}).map((message) => ({ path, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, fields, path))];
}

/** As the model knows it: an index in a list, the name it sends for a field. */
function segmentOf({ target, property }: ValidationError, fields: DtoFields): PropertyKey {
  if (Array.isArray(target) || target instanceof Set) return Number(property);
  const field = fields.get(target?.constructor)?.find((each) => each.property === property);
  return field?.inputName ?? property;
}

function notADto(type: DtoClass, where: string): InvalidSchemaException {
  return new InvalidSchemaException({
    where,
    problem: `class-validator finds no decorator on the class ${type.name}`,
    remedy: 'Decorate its fields, e.g. with @IsString(), or give a zod schema or a JSON Schema.',
  });
}
