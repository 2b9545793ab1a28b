import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { NodeChannel } from './node.channel.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 200);

/** Lets everything that is ready run: promise callbacks come before the next immediate. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('loses, doubles and swaps nothing, whatever the interleaving', async () => {
  const step = fc.constantFrom('send', 'send', 'next', 'poll', 'settle');
  const end = fc.constantFrom('close', 'fail');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(step, { maxLength: 60 }),
      end,
      async (capacity, steps, how) => {
        const channel = new NodeChannel<number>(capacity);
        const received: number[] = [];
        const reads: Promise<void>[] = [];
        const failures: unknown[] = [];
        let readers = 0;
        const read = (): void => {
          readers += 1;
          const next = channel.next().then(({ value, done }) => void (done ? 0 : received.push(value)));
          reads.push(next.catch((error: unknown) => void failures.push(error)).finally(() => (readers -= 1)));
        };
        const waits: Promise<void>[] = [];
        let sent = 0;
        let waiting = false;
        for (const kind of steps) {
          if (kind === 'settle') await settle();
          else if (kind === 'next') read();
          else if (kind === 'poll') {
            await settle(); // what was handed to a reader counts as received before what is polled
            const value = channel.poll();
            if (value !== undefined) received.push(value);
          } else if (!waiting) {
            const wait = channel.send(sent++);
            if (!wait) continue;
            waiting = true;
            waits.push(wait.then(() => void (waiting = false)));
          }
          expect(sent - received.length - readers).toBeLessThanOrEqual(capacity);
        }
        const error = new Error('end');
        if (how === 'close') channel.close();
        else channel.fail(error);
        const drain = async (): Promise<void> => {
          for await (const value of channel) received.push(value);
        };
        await drain().catch((thrown: unknown) => void failures.push(thrown));
        await Promise.all([...reads, ...waits]);
        expect(received).toEqual(Array.from({ length: sent }, (_, index) => index));
        expect(failures).toEqual(how === 'fail' ? [error] : []);
        await expect(channel.next()).resolves.toEqual({ value: undefined, done: true });
      },
    ),
    { numRuns },
  );
});
