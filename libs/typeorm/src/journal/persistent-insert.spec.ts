import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { event, memoryJournal } from '../../../../test/support/memory-journal.js';
import { JournalException } from './journal.exception.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
const never = (): Promise<never> => new Promise(() => {});

describe('A journal whose table fails', () => {
  afterEach(() => void vi.useRealTimers());

  it('B159 (a): a table that always refuses costs events, counted, and one warning', async () => {
    const { writer, append, logger } = memoryJournal(
      (statement) => {
        if (statement !== 'ping') throw new Error('no such table');
      },
      { attempts: 2 },
    );
    append(30);
    expect(await writer.settled('r')).toEqual({ written: 0, dropped: 30, complete: false });
    expect(writer.counters()).toMatchObject({ appended: 30, written: 0, dropped: 30, queued: 0 });
    expect(logger.warn.mock.calls).toEqual([['The journal cannot be written: no such table']]);
    await writer.close();
    expect(logger.error).toHaveBeenCalledWith(expect.stringMatching(/lost 30 of 30 events.*no such table/));
  });

  it('B159 (b): three failed writes lose nothing', async () => {
    let failures = 3;
    const { table, writer, append } = memoryJournal((statement) => {
      if (statement.startsWith('insert') && failures-- > 0) throw new Error('deadlock');
    });
    append(250);
    expect(await writer.settled('r')).toEqual({ written: 250, dropped: 0, complete: true });
    expect(table.numbers('r')).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect(writer.counters()).toMatchObject({ failures: 3, lastError: undefined });
  });

  it('B159 (c): a database that hangs stalls nobody; what it has not taken by the end is counted', async () => {
    const { writer, append, logger } = memoryJournal(never, { writeTimeoutMs: 10 });
    append(10);
    expect(writer.receipt('r')).toEqual({ written: 0, dropped: 0, complete: true });
    await writer.close(100);
    expect(writer.counters()).toMatchObject({ appended: 10, written: 0, dropped: 10, queued: 0 });
    expect(logger.warn).toHaveBeenCalledTimes(1);
    expect(logger.warn).toHaveBeenCalledWith(expect.stringContaining('did not answer within 10 ms'));
  });

  it('waits for a database that is away and then loses nothing it could hold', async () => {
    vi.useFakeTimers();
    let away = true;
    const { table, writer, append } = memoryJournal(
      () => {
        if (away) throw new Error('connection refused');
      },
      { maxQueuedRows: 50 },
    );
    append(40);
    await vi.advanceTimersByTimeAsync(10_000);
    append(60);
    expect(writer.counters()).toMatchObject({ appended: 100, written: 0, dropped: 10, queued: 90 });
    away = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(writer.counters()).toMatchObject({ appended: 100, written: 90, dropped: 10, queued: 0 });
    expect(table.numbers('r')).toEqual(Array.from({ length: 90 }, (_, i) => i + 1));
  });

  it('a strict run hears of its own losses, and of no others', async () => {
    const { writer } = memoryJournal(
      (_, rows) => {
        if (rows.some(({ event: { executionId } }) => executionId === 'bad')) throw new Error('disk full');
      },
      { mode: 'strict', attempts: 1 },
    );
    writer.append(event('good'));
    writer.append(event('bad'));
    await expect(writer.settled('good')).resolves.toMatchObject({ complete: true });
    const failing = writer.settled('bad');
    await expect(failing).rejects.toBeInstanceOf(JournalException);
    await expect(failing).rejects.toMatchObject({ code: 'journal_failed', executionId: 'bad', dropped: 1 });
    await expect(writer.settled('unknown')).resolves.toMatchObject({ complete: true });
  });

  it('a strict run does not wait for ever for a database that is away', async () => {
    vi.useFakeTimers();
    const { writer, append } = memoryJournal(
      () => {
        throw new Error('connection refused');
      },
      { mode: 'strict', strictTimeoutMs: 3_000 },
    );
    append(3);
    const settled = writer.settled('r').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await settled).toBeInstanceOf(JournalException);
    expect(writer.counters()).toMatchObject({ dropped: 3, queued: 0 });
  });

  it('a strict run with many events waits for a silent database once, and hears why', async () => {
    vi.useFakeTimers();
    const { writer, append } = memoryJournal(never, {
      mode: 'strict',
      strictTimeoutMs: 3_000,
      writeTimeoutMs: 3_000,
    });
    append(8);
    const settled = writer.settled('r').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(3_001);
    expect(writer.counters()).toMatchObject({ dropped: 8, queued: 0 });
    expect(await settled).toMatchObject({
      dropped: 8,
      message: expect.stringContaining('did not answer within 3000 ms'),
    });
  });

  it('whatever fails: each event is written once, in order, or counted as dropped', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('r', 's', 't'), { maxLength: 60 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        async (runs, failures) => {
          vi.useFakeTimers();
          let next = 0;
          const { table, writer } = memoryJournal(() => {
            if (failures[next++]) throw new Error('no');
          });
          for (const id of runs) writer.append(event(id));
          const flushed = writer.flush();
          await vi.runAllTimersAsync();
          await flushed;
          const { appended, written, dropped, queued } = writer.counters();
          expect({ sum: written + dropped, queued }).toEqual({ sum: runs.length, queued: 0 });
          expect(table.rows.size).toBe(written);
          expect(appended).toBe(runs.length);
          for (const id of ['r', 's', 't']) {
            const expected = runs.filter((each) => each === id).length;
            const numbers = table.numbers(id);
            expect(new Set(numbers).size).toBe(numbers.length);
            expect(Math.max(0, ...numbers)).toBeLessThanOrEqual(expected);
          }
          vi.useRealTimers();
        },
      ),
      { numRuns: RUNS },
    );
  });
});
