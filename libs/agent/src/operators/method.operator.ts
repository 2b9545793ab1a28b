import type { Operator, OperatorContext, OperatorMetadata } from '@nestor/core';
import type { ToolCall } from './enhanced-call.js';

/** A method of a provider as an operator. */
export class MethodOperator implements Operator {
  readonly metadata: Partial<OperatorMetadata>;
  readonly #call: ToolCall;

  constructor(call: ToolCall, metadata: Partial<OperatorMetadata>) {
    this.#call = call;
    this.metadata = metadata;
  }

  execute(input: unknown, context: OperatorContext): Promise<unknown> {
    return this.#call(input, context);
  }
}
