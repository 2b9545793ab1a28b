import type { ToolErrorCode } from '../operators/tool-error.js';

/** Thrown by an operator to choose the error code that the model sees. The run goes on. */
export class ToolException extends Error {
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ToolException';
    this.code = code;
  }
}
