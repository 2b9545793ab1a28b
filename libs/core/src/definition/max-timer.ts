/** The longest wait a JavaScript timer can hold: 24.8 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The longest deadline of a run: 365 days. */
export const MAX_DEADLINE_MS = 365 * 86_400_000;
