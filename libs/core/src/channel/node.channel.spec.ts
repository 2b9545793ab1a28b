import { describe, expect, it, vi } from 'vitest';
import { NodeChannel } from './node.channel.js';

const DONE = { value: undefined, done: true };

const collect = async <T>(channel: AsyncIterable<T>): Promise<T[]> => {
  const values: T[] = [];
  for await (const value of channel) values.push(value);
  return values;
};
/** Lets everything that is ready run: promise callbacks come before the next immediate. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('NodeChannel', () => {
  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses a capacity of %d', (capacity) => {
    expect(() => new NodeChannel(capacity)).toThrow(
      `NodeChannel capacity must be an integer >= 1, got ${capacity}.`,
    );
  });

  it('delivers values in order, the buffered ones after close too', async () => {
    const channel = new NodeChannel<number>();
    for (const value of [1, 2, 3]) expect(channel.send(value)).toBeUndefined();
    channel.close();
    expect(channel.closed).toBe(true);
    await expect(collect(channel)).resolves.toEqual([1, 2, 3]);
    await expect(channel.next()).resolves.toEqual(DONE);
  });

  it('makes the producer wait while it is full', async () => {
    const channel = new NodeChannel<number>(2);
    let sent = 0;
    const producer = (async () => {
      for (let value = 1; value <= 5; value++) {
        const wait = channel.send(value);
        sent = value;
        if (wait) await wait;
      }
      channel.close();
    })();
    await settle();
    expect(sent).toBe(2);
    expect(channel.poll()).toBe(1);
    await settle();
    expect(sent).toBe(3);
    await expect(collect(channel)).resolves.toEqual([2, 3, 4, 5]);
    await producer;
  });

  it('keeps the order also for a producer that does not wait', async () => {
    const channel = new NodeChannel<number>(2);
    const values = Array.from({ length: 20 }, (_, index) => index);
    for (const value of values) void channel.send(value);
    channel.close();
    await expect(collect(channel)).resolves.toEqual(values);
  });

  it('hands a value to a waiting reader without buffering it', async () => {
    const channel = new NodeChannel<string>(1);
    const next = channel.next();
    expect(channel.send('a')).toBeUndefined();
    expect(channel.poll()).toBeUndefined();
    await expect(next).resolves.toEqual({ value: 'a', done: false });
  });

  it('serves several waiting readers in their order, and tells all of the end', async () => {
    const channel = new NodeChannel<number>();
    const readers = [channel.next(), channel.next(), channel.next(), channel.next()];
    void channel.send(1);
    void channel.send(2);
    channel.close();
    await expect(Promise.all(readers)).resolves.toEqual([
      { value: 1, done: false },
      { value: 2, done: false },
      DONE,
      DONE,
    ]);
  });

  it('delivers what is buffered before it fails, and fails once', async () => {
    const channel = new NodeChannel<number>();
    const error = new Error('cut');
    void channel.send(1);
    channel.fail(error);
    channel.fail(new Error('later'));
    channel.close();
    await expect(channel.next()).resolves.toEqual({ value: 1, done: false });
    await expect(channel.next()).rejects.toBe(error);
    await expect(channel.next()).resolves.toEqual(DONE);
  });

  it('fails the first of several waiting readers and ends the others', async () => {
    const channel = new NodeChannel<number>();
    const [first, second] = [channel.next(), channel.next()];
    const error = new Error('cut');
    channel.fail(error);
    await expect(first).rejects.toBe(error);
    await expect(second).resolves.toEqual(DONE);
    await expect(channel.next()).resolves.toEqual(DONE);
  });

  it('keeps an error that is no object', async () => {
    const channel = new NodeChannel<number>();
    channel.fail(undefined);
    await expect(channel.next()).rejects.toBeUndefined();
  });

  it('ignores a failure after close', async () => {
    const channel = new NodeChannel<number>();
    channel.close();
    channel.fail(new Error('late'));
    await expect(channel.next()).resolves.toEqual(DONE);
  });

  it('B38: throws the error to the loop over it; a second loop ends, and nothing is unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const channel = new NodeChannel<string>();
      const error = new Error('source');
      void channel.send('a');
      channel.fail(error);
      new NodeChannel<string>().fail(error);
      const seen: string[] = [];
      const loop = async (): Promise<void> => {
        for await (const value of channel) seen.push(value);
      };
      await expect(loop()).rejects.toBe(error);
      await expect(loop()).resolves.toBeUndefined();
      expect(seen).toEqual(['a']);
      await settle();
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });

  it('drops what is sent after the end', async () => {
    const channel = new NodeChannel<number>(1);
    channel.close();
    expect(channel.send(1)).toBeUndefined();
    await expect(channel.next()).resolves.toEqual(DONE);
  });

  describe('when the consumer stops', () => {
    it('aborts the producer and lets it go on', async () => {
      const channel = new NodeChannel<number>(1);
      const { signal } = channel;
      const wait = channel.send(1);
      expect(signal.aborted).toBe(false);
      for await (const value of channel) {
        void channel.send(value + 1);
        break;
      }
      expect(signal.aborted).toBe(true);
      expect(signal.reason).toMatchObject({ name: 'AbortError' });
      expect(channel.closed).toBe(true);
      await expect(wait).resolves.toBeUndefined();
      expect(channel.send(9)).toBeUndefined();
      await expect(channel.next()).resolves.toEqual(DONE);
    });

    it('wakes a producer that waits for room, and readers that wait for a value', async () => {
      const full = new NodeChannel<number>(1);
      const wait = full.send(1);
      await expect(full.return()).resolves.toEqual(DONE);
      await expect(wait).resolves.toBeUndefined();
      const empty = new NodeChannel<number>();
      const reader = empty.next();
      await empty.return();
      await expect(reader).resolves.toEqual(DONE);
    });

    it('drops values and a failure that nobody has read', async () => {
      const channel = new NodeChannel<number>();
      void channel.send(1);
      channel.fail(new Error('unread'));
      await channel.return();
      expect(channel.poll()).toBeUndefined();
      await expect(channel.next()).resolves.toEqual(DONE);
    });

    it('does not abort a producer that had ended', async () => {
      const channel = new NodeChannel<number>();
      channel.close();
      await channel.return();
      expect(channel.signal.aborted).toBe(false);
    });
  });

  it('polls without waiting', async () => {
    const channel = new NodeChannel<number>(1);
    expect(channel.poll()).toBeUndefined();
    const wait = channel.send(1);
    expect(channel.poll()).toBe(1);
    expect(channel.poll()).toBeUndefined();
    await expect(wait).resolves.toBeUndefined();
  });
});
