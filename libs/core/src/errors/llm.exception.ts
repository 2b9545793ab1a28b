import { AgentException } from './agent.exception.js';

export type LlmErrorKind =
  | 'authentication'
  | 'rate_limit'
  | 'context_length'
  | 'content_filter'
  | 'invalid_request'
  | 'unavailable'
  | 'timeout'
  | 'incomplete_stream';

export interface LlmExceptionOptions {
  readonly kind: LlmErrorKind;
  /** HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** The server's own error code, e.g. `context_length_exceeded`. */
  readonly providerCode?: string | undefined;
  /** The server's own error type, e.g. `invalid_request_error`. */
  readonly providerType?: string | undefined;
  /** How long the server asked to wait, in ms. */
  readonly retryAfterMs?: number | undefined;
  /** Default: true for `rate_limit`, `unavailable`, `timeout` (but `total`) and `incomplete_stream`. */
  readonly retryable?: boolean | undefined;
  /** Which limit ran out, on `timeout`. */
  readonly timeout?: 'connect' | 'first_token' | 'idle' | 'total' | undefined;
  readonly cause?: unknown;
}

const RETRYABLE: ReadonlySet<LlmErrorKind> = new Set([
  'rate_limit',
  'unavailable',
  'timeout',
  'incomplete_stream',
]);

/**
 * A model call that failed. `code` is `llm_<kind>`, for time-outs `timeout:<which>`. The message keeps the
 * server's words and never holds the API key.
 */
export class LlmException extends AgentException {
  readonly kind: LlmErrorKind;
  readonly status: number | undefined;
  readonly providerCode: string | undefined;
  readonly providerType: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly retryable: boolean;
  readonly timeout: LlmExceptionOptions['timeout'];

  constructor(message: string, options: LlmExceptionOptions) {
    super(message, {
      code: options.timeout ? `timeout:${options.timeout}` : `llm_${options.kind}`,
      cause: options.cause,
    });
    this.kind = options.kind;
    this.status = options.status;
    this.providerCode = options.providerCode;
    this.providerType = options.providerType;
    this.retryAfterMs = options.retryAfterMs;
    this.timeout = options.timeout;
    this.retryable = options.retryable ?? (RETRYABLE.has(options.kind) && options.timeout !== 'total');
  }
}
