import { describe, expect, it, vi } from 'vitest';
import { ChunkQueue } from './chunk.queue.js';

function queueOf(capacity?: number) {
  const producer = { start: vi.fn(), resume: vi.fn(), cancel: vi.fn() };
  return { producer, queue: new ChunkQueue<number>(producer, capacity) };
}

async function drain(queue: AsyncIterable<number>): Promise<number[]> {
  const values: number[] = [];
  for await (const value of queue) values.push(value);
  return values;
}

describe('ChunkQueue', () => {
  it('starts its producer with the first request, once', async () => {
    const { queue, producer } = queueOf();
    expect(producer.start).not.toHaveBeenCalled();
    const reads = [queue.next(), queue.next(), queue.next()];
    expect(producer.start).toHaveBeenCalledOnce();
    queue.push(1);
    queue.push(2);
    queue.end();
    expect(await Promise.all(reads)).toEqual([
      { value: 1, done: false },
      { value: 2, done: false },
      { value: undefined, done: true },
    ]);
  });

  it('keeps the order of many more values than it wants to hold', async () => {
    const { queue } = queueOf(4);
    const expected = Array.from({ length: 1_000 }, (_, index) => index);
    expected.forEach((value) => queue.push(value));
    queue.end();
    expect(await drain(queue)).toEqual(expected);
  });

  it('says that it is full, and asks for more once half of it is free', async () => {
    const { queue, producer } = queueOf(4);
    for (let value = 0; value < 4; value++) queue.push(value);
    expect(queue.isFull()).toBe(false);
    queue.push(4);
    expect(queue.isFull()).toBe(true);
    await queue.next();
    await queue.next();
    expect(producer.resume).not.toHaveBeenCalled();
    await queue.next();
    expect(producer.resume).toHaveBeenCalledOnce();
    await queue.next();
    expect(producer.resume).toHaveBeenCalledOnce();
  });

  it('throws an error once, behind the values it holds, and is then at its end', async () => {
    const { queue } = queueOf();
    const error = new Error('cut');
    queue.push(1);
    queue.end({ error });
    queue.push(2);
    expect(await queue.next()).toEqual({ value: 1, done: false });
    await expect(queue.next()).rejects.toBe(error);
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });

  it('gives the error to the first that waits and the end to the others', async () => {
    const { queue } = queueOf();
    const reads = [queue.next(), queue.next()];
    queue.end({ error: 'cut' });
    expect(await Promise.allSettled(reads)).toEqual([
      { status: 'rejected', reason: 'cut' },
      { status: 'fulfilled', value: { value: undefined, done: true } },
    ]);
  });

  it('cancels a running producer when its consumer stops, and drops what it holds', async () => {
    const { queue, producer } = queueOf();
    const first = queue.next();
    queue.push(1);
    queue.push(2);
    await first;
    await queue.return();
    queue.push(3);
    expect(producer.cancel).toHaveBeenCalledOnce();
    expect(await drain(queue)).toEqual([]);
  });

  it('has nothing to cancel before the start and after the end', async () => {
    const unstarted = queueOf();
    await unstarted.queue.return();
    expect(await unstarted.queue.next()).toEqual({ value: undefined, done: true });
    expect(unstarted.producer.start).not.toHaveBeenCalled();
    expect(unstarted.producer.cancel).not.toHaveBeenCalled();
    const ended = queueOf();
    const read = ended.queue.next();
    ended.queue.end();
    await read;
    await ended.queue.return();
    expect(ended.producer.cancel).not.toHaveBeenCalled();
  });
});
