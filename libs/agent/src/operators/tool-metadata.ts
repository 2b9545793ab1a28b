import {
  InvalidSchemaException,
  toInputSchema,
  type InputSchema,
  type OperatorMetadata,
  type SchemaLike,
} from '@nestor/core';
import { isDtoClass, type DtoClass } from '../schemas/dto-class.js';
import { dtoInputSchema } from '../schemas/dto-schema.js';
import { DtoPipe } from './dto.pipe.js';
import type { DeclaredOperator, OperatorClass } from './operator.decorator.js';
import { addArgumentsPipe, argumentsTypeOf } from './tool-parameters.js';

/**
 * What the registry is told of a declared operator. Without `input` the type of the method's arguments is used, if it
 * is a DTO class.
 * @throws InvalidSchemaException if a schema cannot be used.
 */
export function toolMetadata(
  type: OperatorClass,
  { method, options }: DeclaredOperator,
  where: string,
): Partial<OperatorMetadata> {
  const { input, output, ...rest } = options;
  const declared: unknown = input ?? argumentsTypeOf(type, method);
  return {
    ...rest,
    input: isDtoClass(declared) ? dtoInput(type, method, declared, where) : plainInput(input, where),
    output: outputSchema(output, where),
  };
}

/**
 * For people who read the catalogue; no result is held to it. What has no JSON form, such as a date, leaves as text, so
 * its schema is left out rather than refused.
 */
function outputSchema(output: SchemaLike | undefined, where: string): InputSchema | null {
  try {
    return output ? toInputSchema(output, `output of ${where}`) : null;
  } catch (error) {
    if (error instanceof InvalidSchemaException) return null;
    throw error;
  }
}

/** A class that no validator knows is refused there, as anything else that is no schema. */
function plainInput(input: SchemaLike | DtoClass | undefined, where: string): InputSchema | null {
  return input ? toInputSchema(input as SchemaLike, where) : null;
}

/** The model is shown the schema; the check is a pipe's, behind those of the application. */
function dtoInput(type: OperatorClass, method: string, dto: DtoClass, where: string): InputSchema {
  const schema = dtoInputSchema(dto, where);
  addArgumentsPipe(type, method, DtoPipe.of(dto, schema));
  return {
    jsonSchema: schema.jsonSchema,
    validate: (value) => ({ ok: true, value }),
    check: (value) => schema.validate(value),
  };
}
