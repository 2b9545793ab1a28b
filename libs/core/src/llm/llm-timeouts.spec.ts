import { expect, it } from 'vitest';
import { DEFAULT_TIMEOUTS, llmTimeouts } from './llm-timeouts.js';

it('completes what is given with the defaults', () => {
  expect(llmTimeouts()).toEqual(DEFAULT_TIMEOUTS);
  expect(llmTimeouts({ idleMs: 5 })).toEqual({ ...DEFAULT_TIMEOUTS, idleMs: 5 });
});

it('refuses times that a timer cannot hold', () => {
  for (const totalMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    expect(() => llmTimeouts({ totalMs })).toThrow(
      'timeouts.totalMs must be a number of ms from 1 to 2147483647',
    );
  }
});
