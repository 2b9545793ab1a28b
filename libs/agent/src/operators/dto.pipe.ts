import { BadRequestException, type PipeTransform } from '@nestjs/common';
import { issueText, type InputSchema } from '@nestor/core';
import type { DtoClass } from '../schemas/dto-class.js';

const pipes = new WeakMap<DtoClass, DtoPipe>();

/**
 * Makes an instance of a DTO class from a tool's arguments. It stands behind the application's own pipes: where a
 * `ValidationPipe` has made the instance already, nothing is transformed twice.
 */
export class DtoPipe implements PipeTransform {
  readonly #type: DtoClass;
  readonly #schema: InputSchema;

  private constructor(type: DtoClass, schema: InputSchema) {
    this.#type = type;
    this.#schema = schema;
  }

  /** One pipe per class: a method keeps it in its metadata, which outlives an application. */
  static of(type: DtoClass, schema: InputSchema): DtoPipe {
    const pipe = pipes.get(type) ?? new DtoPipe(type, schema);
    pipes.set(type, pipe);
    return pipe;
  }

  /** @throws BadRequestException, which the model is told as `invalid_arguments`, with path and reason per problem. */
  async transform(value: unknown): Promise<unknown> {
    if (value instanceof this.#type) return value;
    const validation = await this.#schema.validate(value);
    if (validation.ok) return validation.value;
    const issues = validation.issues.map(issueText);
    throw new BadRequestException(issues);
  }
}
