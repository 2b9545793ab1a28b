import type { OperatorContext } from '@nestor/core';

/** One tool call on its way through Nest. The only place that holds what the model wrote. */
export class ToolInvocation {
  /** The model's arguments, checked. */
  readonly args: unknown;
  readonly context: OperatorContext;
  /** What guards, pipes, interceptors or the method threw, before exception filters saw it. */
  thrown: { readonly error: unknown } | undefined;

  constructor(args: unknown, context: OperatorContext) {
    this.args = args;
    this.context = context;
  }
}
