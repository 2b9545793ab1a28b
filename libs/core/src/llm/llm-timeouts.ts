/** Limits of a model call, each in ms from 1 to 2,147,483,647. */
export interface LlmTimeouts {
  /** Until the connection stands. Default 10,000. */
  readonly connectMs: number;
  /** From there to the first token; for a call that is not streamed, to the whole answer. Default 120,000. */
  readonly firstTokenMs: number;
  /** Between two pieces of content of a stream; keep-alives do not count as content. Default 60,000. */
  readonly idleMs: number;
  /** For the whole call with all its attempts and the waits between. Default 600,000. */
  readonly totalMs: number;
}

export const DEFAULT_TIMEOUTS: LlmTimeouts = Object.freeze({
  connectMs: 10_000,
  firstTokenMs: 120_000,
  idleMs: 60_000,
  totalMs: 600_000,
});

/** A longer time overflows the timer and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Completes time-outs with the defaults.
 * @throws RangeError naming the field and its range.
 */
export function llmTimeouts(given: Partial<LlmTimeouts> = {}): LlmTimeouts {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...given };
  for (const field of ['connectMs', 'firstTokenMs', 'idleMs', 'totalMs'] as const) {
    if (!(timeouts[field] >= 1 && timeouts[field] <= LONGEST_TIMER_MS)) {
      throw new RangeError(
        `timeouts.${field} must be a number of ms from 1 to ${LONGEST_TIMER_MS}, got ${timeouts[field]}.`,
      );
    }
  }
  return timeouts;
}
