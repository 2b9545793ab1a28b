import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Injects the caller of the run into a tool's method: the request or `{ user }` it was started with, `{}` if there is none. */
export const Caller: () => ParameterDecorator = createParamDecorator(
  (_: unknown, context: ExecutionContext): unknown => context.getArgByIndex(0),
);
