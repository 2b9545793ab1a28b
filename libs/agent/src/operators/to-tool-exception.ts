import { HttpException } from '@nestjs/common';
import { ToolException, type ToolErrorCode } from '@nestor/core';

const CODES: Readonly<Record<number, ToolErrorCode>> = {
  400: 'invalid_arguments',
  401: 'denied',
  403: 'denied',
  422: 'invalid_arguments',
};

/** What Nest's own exceptions mean to the model: a guard's 401 and 403 `denied`, a pipe's 400 `invalid_arguments`. Others stay as they are. */
export function toToolException(error: unknown): unknown {
  if (!(error instanceof HttpException)) return error;
  return new ToolException(CODES[error.getStatus()] ?? 'failed', messageOf(error), { cause: error });
}

function messageOf(error: HttpException): string {
  const response = error.getResponse();
  const message: unknown =
    typeof response === 'object' && 'message' in response ? response.message : response;
  if (Array.isArray(message)) return message.join('; ');
  return typeof message === 'string' && message !== '' ? message : error.message;
}
