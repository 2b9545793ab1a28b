import type { Dispatcher } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BodyTooLargeError, Exchange } from './undici.transport.js';

const OPTIONS: Dispatcher.DispatchOptions = { method: 'POST', path: '/' };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An exchange at the hands of a dispatcher that does what the test says. */
function exchangeWith(onConnected = vi.fn()) {
  const exchange = new Exchange(onConnected);
  const controller = { abort: vi.fn(), pause: vi.fn(), resume: vi.fn() } as any;
  const dispatcher = { dispatch: vi.fn() } as any;
  return { exchange, controller, dispatcher, onConnected, started: exchange.start(dispatcher, OPTIONS) };
}

function sink() {
  return { data: vi.fn(), end: vi.fn(), fail: vi.fn() };
}

describe('Exchange', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('begins with the first status that is final', async () => {
    const { exchange, controller, started, onConnected } = exchangeWith();
    exchange.onRequestStart(controller);
    expect(onConnected).toHaveBeenCalledOnce();
    exchange.onResponseStart(controller, 103, { link: 'x' });
    expect(exchange.status).toBe(0);
    exchange.onResponseStart(controller, 200, { 'content-type': 'Text/HTML' });
    await started;
    expect(exchange).toMatchObject({ status: 200, contentType: 'text/html', connected: true, failed: false });
  });

  it('keeps what came before anybody read', async () => {
    const { exchange, controller } = exchangeWith();
    exchange.onRequestStart(controller);
    exchange.onResponseStart(controller, 200, {});
    exchange.onResponseData(controller, bytes('one '));
    exchange.onResponseData(controller, bytes('two'));
    exchange.onResponseEnd();
    expect(await exchange.text(7)).toBe('one two');
  });

  it('refuses a body over its limit, whether it is still coming or all there', async () => {
    const coming = exchangeWith();
    coming.exchange.onRequestStart(coming.controller);
    coming.exchange.onResponseStart(coming.controller, 200, {});
    const text = coming.exchange.text(3);
    coming.exchange.onResponseData(coming.controller, bytes('four'));
    await expect(text).rejects.toBeInstanceOf(BodyTooLargeError);
    expect(coming.controller.abort).toHaveBeenCalledOnce();

    const there = exchangeWith();
    there.exchange.onResponseData(there.controller, bytes('four'));
    there.exchange.onResponseEnd();
    await expect(there.exchange.text(3)).rejects.toBeInstanceOf(BodyTooLargeError);
  });

  it('fails with what it was cancelled with, and destroys its connection once it stands', async () => {
    const { exchange, controller, started } = exchangeWith();
    exchange.cancel('enough');
    await expect(started).rejects.toBe('enough');
    expect(exchange).toMatchObject({ cancelled: true, failed: true, error: 'enough' });
    exchange.onRequestStart(controller);
    expect(controller.abort).toHaveBeenCalledOnce();
    exchange.onResponseError(controller, new Error('the abort'));
    expect(exchange.error).toBe('enough');
  });

  it('is not sent at all if it was cancelled before', async () => {
    const exchange = new Exchange(() => {});
    const dispatch = vi.fn();
    exchange.cancel('enough');
    await expect(exchange.start({ dispatch } as any, OPTIONS)).rejects.toBe('enough');
    expect(dispatch).not.toHaveBeenCalled();
  });

  it('tells its reader of an error of the network, once', () => {
    const { exchange, controller, started } = exchangeWith();
    started.catch(() => {});
    const reader = sink();
    exchange.pipe(reader);
    const error = new Error('reset');
    exchange.onResponseError(controller, error);
    exchange.cancel('late');
    expect(reader.fail).toHaveBeenCalledExactlyOnceWith(error);
    expect(exchange.cancelled).toBe(false);
    const late = sink();
    exchange.pipe(late);
    expect(late.fail).toHaveBeenCalledExactlyOnceWith(error);
  });

  it('B32: waits a moment for the end of a body it dropped, then destroys the connection', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [held, ended] = [exchangeWith(), exchangeWith()];
    for (const { exchange, controller } of [held, ended]) {
      exchange.onRequestStart(controller);
      const reader = sink();
      exchange.pipe(reader);
      exchange.drop();
      exchange.onResponseData(controller, bytes('more'));
      expect(reader.data).not.toHaveBeenCalled();
    }
    ended.exchange.onResponseEnd();
    vi.advanceTimersByTime(100);
    expect(held.controller.abort).toHaveBeenCalledOnce();
    expect(ended.controller.abort).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
