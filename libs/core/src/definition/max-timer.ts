/** The longest wait a JavaScript timer can hold. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
