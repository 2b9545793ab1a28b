import { LlmException } from '../errors/llm.exception.js';
import { amendedException } from './amended-exception.js';

/** How a failed model call is repeated. */
export interface RetryPolicy {
  /** Attempts in total, the first included; an integer >= 1. Default 3. */
  readonly attempts: number;
  /** Wait before the second attempt in ms, doubled each time; >= 0. Default 500. */
  readonly baseDelayMs: number;
  /** No wait of ours is longer, in ms; >= 0. Default 8,000. */
  readonly maxDelayMs: number;
  /** Share of a wait that is left to chance, 0 to 1: 0.5 waits 50 to 100 % of it. Default 0.5. */
  readonly jitter: number;
}

export const DEFAULT_RETRY: RetryPolicy = Object.freeze({
  attempts: 3,
  baseDelayMs: 500,
  maxDelayMs: 8_000,
  jitter: 0.5,
});

/** Longest wait a server may ask for, in ms. */
export const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Completes a policy with the defaults.
 * @throws RangeError naming the field and its range.
 */
export function retryPolicy(given: Partial<RetryPolicy> = {}): RetryPolicy {
  const policy = { ...DEFAULT_RETRY, ...given };
  if (!Number.isInteger(policy.attempts) || policy.attempts < 1) {
    throw new RangeError(`retry.attempts must be an integer >= 1, got ${policy.attempts}.`);
  }
  for (const field of ['baseDelayMs', 'maxDelayMs'] as const) {
    if (!Number.isFinite(policy[field]) || policy[field] < 0) {
      throw new RangeError(`retry.${field} must be a number of ms >= 0, got ${policy[field]}.`);
    }
  }
  if (!(policy.jitter >= 0 && policy.jitter <= 1)) {
    throw new RangeError(`retry.jitter must be a number from 0 to 1, got ${policy.jitter}.`);
  }
  return policy;
}

/**
 * The wait before the next attempt in ms. The random part only shortens, so the maximum holds.
 * @param failedAttempts attempts made so far, >= 1.
 */
export function backoffDelay(policy: RetryPolicy, failedAttempts: number): number {
  const delay = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failedAttempts - 1));
  return delay * (1 - policy.jitter * Math.random());
}

export interface RetryHooks {
  /** Waits; rejects if the call is aborted or runs out of time meanwhile. */
  wait(ms: number): Promise<void>;
  /** False once something has reached the consumer: a second attempt would repeat it. */
  mayRetry?(): boolean;
}

/**
 * The one layer of retries. Only errors marked `retryable` are tried again.
 * @throws the last error; the signal's reason or a time-out if `wait` ended with one.
 */
export async function withRetry<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  hooks: RetryHooks,
): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (made >= policy.attempts || !(error instanceof LlmException) || !error.retryable) throw error;
      if (hooks.mayRetry?.() === false) throw error;
      await hooks.wait(nextDelay(policy, made, error));
    }
  }
}

function nextDelay(policy: RetryPolicy, made: number, error: LlmException): number {
  const asked = error.retryAfterMs;
  if (asked === undefined) return backoffDelay(policy, made);
  if (asked <= MAX_RETRY_AFTER_MS) return asked;
  throw amendedException(error, {
    message:
      `${error.message} The server asks to wait ${Math.ceil(asked / 1000)} s, more than the ` +
      `${MAX_RETRY_AFTER_MS / 1000} s we wait: try again later.`,
  });
}

type HeaderValues = { readonly [name: string]: string | string[] | undefined };

/** What a response asks us to wait, in ms: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date. */
export function retryAfterMs(headers: HeaderValues): number | undefined {
  const ms = Number.parseFloat(String(headers['retry-after-ms']));
  if (ms >= 0) return ms;
  const after = headers['retry-after'];
  if (typeof after !== 'string') return undefined;
  const seconds = Number(after);
  if (after.trim() !== '' && seconds >= 0) return seconds * 1000;
  const until = Date.parse(after) - Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, until);
}
