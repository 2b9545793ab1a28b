import { afterEach, expect, it, vi } from 'vitest';
import { retryTransient } from './retry-transient.js';

const CODES = new Set(['BUSY']);
const busy = (): Error => Object.assign(new Error('busy'), { code: 'BUSY' });

afterEach(() => void vi.useRealTimers());

it('repeats what met a busy database', async () => {
  const work = vi.fn().mockRejectedValueOnce(busy()).mockRejectedValueOnce(busy()).mockResolvedValue('done');
  expect(await retryTransient(CODES, work)).toBe('done');
  expect(work).toHaveBeenCalledTimes(3);
});

it.each([new Error('no code'), Object.assign(new Error('other'), { code: 'OTHER' }), 'text', null])(
  'repeats nothing else: %s',
  async (error) => {
    const work = vi.fn().mockRejectedValue(error);
    await expect(retryTransient(CODES, work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledTimes(1);
  },
);

it('gives up after ten seconds', async () => {
  vi.useFakeTimers();
  const error = busy();
  const outcome = retryTransient(CODES, () => Promise.reject(error)).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(await outcome).toBe(error);
  expect(vi.getTimerCount()).toBe(0);
});
