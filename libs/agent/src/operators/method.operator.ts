import type { Operator, OperatorContext, OperatorMetadata } from '@nestor/core';

type Method = (input: unknown, context: OperatorContext) => unknown;

/** A method of a provider as an operator. */
export class MethodOperator implements Operator {
  readonly metadata: Partial<OperatorMetadata>;
  readonly #instance: (context: OperatorContext) => object | Promise<object>;
  readonly #method: string;

  /** @param instance gives the provider's instance for a call: always the same one, or one of its own if the provider is scoped. */
  constructor(
    instance: (context: OperatorContext) => object | Promise<object>,
    method: string,
    metadata: Partial<OperatorMetadata>,
  ) {
    this.#instance = instance;
    this.#method = method;
    this.metadata = metadata;
  }

  async execute(input: unknown, context: OperatorContext): Promise<unknown> {
    const instance = await this.#instance(context);
    // The explorer has checked that the class has the method; its type is not known here.
    const method = Reflect.get(instance, this.#method) as Method;
    return method.call(instance, input, context);
  }
}
