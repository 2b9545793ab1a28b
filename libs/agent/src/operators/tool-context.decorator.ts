import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { OperatorContext } from '@nestor/core';
import { ToolInvocation } from './tool-invocation.js';

/** Injects the `OperatorContext` into a tool's method. The second undecorated parameter gets it too. */
export const ToolContext: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): OperatorContext | undefined => {
    const invocation: unknown = context.getArgByIndex(2);
    return invocation instanceof ToolInvocation ? invocation.context : undefined;
  },
);
