import { LlmException, type LlmExceptionOptions } from '../errors/llm.exception.js';

/** The same error with some of its parts replaced; everything else, the cause included, stays. */
export function amendedException(
  error: LlmException,
  changes: Partial<LlmExceptionOptions> & { readonly message?: string },
): LlmException {
  const { message = error.message, ...options } = changes;
  return new LlmException(message, {
    kind: error.kind,
    status: error.status,
    providerCode: error.providerCode,
    providerType: error.providerType,
    retryAfterMs: error.retryAfterMs,
    retryable: error.retryable,
    timeout: error.timeout,
    cause: error.cause,
    ...options,
  });
}
