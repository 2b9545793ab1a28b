import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { onAbort } from './on-abort.js';

describe('onAbort', () => {
  it('calls every callback once when the signal aborts', () => {
    const controller = new AbortController();
    const callback = vi.fn();
    onAbort(controller.signal, callback);
    onAbort(controller.signal, callback);
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(2);
  });

  it('calls at once if the signal has aborted already, and never without a signal', () => {
    const callback = vi.fn();
    onAbort(AbortSignal.abort(), callback);
    onAbort(undefined, callback);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('does not call what was disposed', () => {
    const controller = new AbortController();
    const callback = vi.fn();
    onAbort(controller.signal, callback)();
    controller.abort();
    expect(callback).not.toHaveBeenCalled();
  });

  it('keeps one listener however many callbacks there are, and none when all are gone', () => {
    const { signal } = new AbortController();
    const disposers = Array.from({ length: 100 }, () => onAbort(signal, () => {}));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const dispose of disposers) dispose();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('takes new callbacks after all former ones were disposed', () => {
    const controller = new AbortController();
    onAbort(controller.signal, () => {})();
    const callback = vi.fn();
    onAbort(controller.signal, callback);
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
  });
});
