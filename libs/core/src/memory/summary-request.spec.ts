import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { requestSummary } from './summary-request.js';

const never = (): Promise<string> => new Promise(() => {});
const messages = [{ role: 'user', content: 'hi' } as const];

describe('requestSummary', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives the text and leaves no listener and no timer behind', async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const summarizer = vi.fn(async () => 'They greeted.');
    const text = await requestSummary(summarizer, messages, { previous: 'Before.', signal, timeoutMs: 1000 });
    expect(text).toBe('They greeted.');
    expect(summarizer).toHaveBeenCalledWith(messages, {
      previous: 'Before.',
      signal: expect.any(AbortSignal),
    });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends in time although the summarizer does not', async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const summarizer = vi.fn(never);
    const summary = requestSummary(summarizer, messages, { previous: undefined, signal, timeoutMs: 1000 });
    const failure = summary.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failure).toEqual(new Error('No summary came within 1000 ms.'));
    expect(summarizer).toHaveBeenCalledWith(messages, {
      previous: undefined,
      signal: expect.objectContaining({ aborted: true }),
    });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('rejects with the reason of an abort, before and during the call', async () => {
    const controller = new AbortController();
    const options = { previous: undefined, signal: controller.signal, timeoutMs: 1000 };
    const reason = new Error('shutdown');
    const summary = requestSummary(never, messages, options);
    controller.abort(reason);
    await expect(summary).rejects.toBe(reason);
    const summarizer = vi.fn(never);
    await expect(requestSummary(summarizer, messages, options)).rejects.toBe(reason);
    expect(summarizer).not.toHaveBeenCalled();
  });

  it('takes no text and blank text for a failure', async () => {
    const { signal } = new AbortController();
    for (const text of ['', ' \n', undefined, 7]) {
      const summary = requestSummary(async () => text as string, messages, {
        previous: undefined,
        signal,
        timeoutMs: 1000,
      });
      await expect(summary).rejects.toThrow('The summarizer gave no text.');
    }
  });

  it('rejects with what a summarizer throws at once, also when it aborted the run before', async () => {
    const controller = new AbortController();
    const summarizer = (): never => {
      controller.abort();
      throw new Error('broken');
    };
    const options = { previous: undefined, signal: controller.signal, timeoutMs: 1000 };
    await expect(requestSummary(summarizer, messages, options)).rejects.toThrow(/aborted|broken/);
  });
});
