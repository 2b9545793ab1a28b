import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { SessionBusyException } from '../errors/session-busy.exception.js';
import { SessionLock } from './session-lock.js';

describe('SessionLock', () => {
  it('lets holders in one after another, in the order they came', async () => {
    const lock = new SessionLock();
    const order: string[] = [];
    const release = await lock.acquire('s');
    const waiting = ['b', 'c'].map(async (name) => {
      const done = await lock.acquire('s');
      order.push(name);
      done();
    });
    order.push('a');
    release();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('keeps sessions apart', async () => {
    const lock = new SessionLock();
    await lock.acquire('s');
    await expect(lock.acquire('t')).resolves.toBeTypeOf('function');
  });

  it('refuses at once where asked to', async () => {
    const lock = new SessionLock();
    const release = await lock.acquire('s');
    await expect(lock.acquire('s', { whenBusy: 'refuse' })).rejects.toBeInstanceOf(SessionBusyException);
    release();
    await expect(lock.acquire('s', { whenBusy: 'refuse' })).resolves.toBeTypeOf('function');
  });

  it('ends the waiting with the signal’s reason and leaves the line intact', async () => {
    const lock = new SessionLock();
    const release = await lock.acquire('s');
    const controller = new AbortController();
    const given = lock.acquire('s', { signal: controller.signal });
    const next = lock.acquire('s');
    controller.abort(new Error('gone'));
    await expect(given).rejects.toThrow('gone');
    release();
    await expect(next).resolves.toBeTypeOf('function');
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('takes a second release for nothing', async () => {
    const lock = new SessionLock();
    const release = await lock.acquire('s');
    release();
    const second = await lock.acquire('s');
    release();
    await expect(lock.acquire('s', { whenBusy: 'refuse' })).rejects.toBeInstanceOf(SessionBusyException);
    second();
  });
});
