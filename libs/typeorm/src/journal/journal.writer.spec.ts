import { afterEach, describe, expect, it, vi } from 'vitest';
import { event, memoryJournal } from '../../../../test/support/memory-journal.js';

const never = (): Promise<never> => new Promise(() => {});

describe('JournalWriter', () => {
  afterEach(() => void vi.useRealTimers());

  it('writes in batches of 200, in order, numbered per run', async () => {
    const { table, writer, append } = memoryJournal();
    for (let i = 0; i < 500; i++) append(1, `run ${i % 2}`);
    await writer.flush();
    expect(table.batches).toEqual([200, 200, 100]);
    expect(table.numbers('run 0')).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
    expect([...table.rows.values()].map(({ event: { executionId } }) => executionId).slice(0, 3)).toEqual([
      'run 0',
      'run 1',
      'run 0',
    ]);
    expect(writer.counters()).toEqual({
      appended: 500,
      written: 500,
      dropped: 0,
      queued: 0,
      failures: 0,
      lastError: undefined,
    });
  });

  it('writes by itself after a moment, and at once where someone waits', async () => {
    vi.useFakeTimers();
    const { writer, append } = memoryJournal(undefined, { maxDelayMs: 1_000 });
    append(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(writer.counters().written).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(writer.counters().written).toBe(1);
    append(1);
    await expect(writer.settled('r')).resolves.toEqual({ written: 2, dropped: 0, complete: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes on where the table stands', async () => {
    const { table, writer } = memoryJournal();
    await table.insert([1, 2].map((sequenceNumber) => ({ event: event('r'), sequenceNumber })));
    writer.append(event('r'));
    await writer.flush();
    expect(table.numbers('r')).toEqual([1, 2, 3]);
  });

  it('asks once per run where the table stands', async () => {
    const { table, writer, append } = memoryJournal();
    for (let i = 0; i < 3; i++) {
      append(2);
      await writer.flush();
    }
    expect(table.statements).toBe(4);
  });

  it('flushes again and again, also when there is nothing to do', async () => {
    const { writer, append } = memoryJournal();
    await writer.flush();
    append(1);
    await Promise.all([writer.flush(), writer.flush()]);
    await writer.flush();
    append(1);
    await writer.flush();
    expect(writer.counters().written).toBe(2);
  });

  it('keeps the gap that a lost event leaves', async () => {
    const { table, writer } = memoryJournal((statement, rows) => {
      if (rows.some(({ event: { payload } }) => payload === '"poison"'))
        throw new Error(`refused in ${statement}`);
    });
    for (const payload of ['1', '"poison"', '3']) writer.append(event('r', payload));
    expect(await writer.settled('r')).toEqual({ written: 2, dropped: 1, complete: false });
    expect(table.numbers('r')).toEqual([1, 3]);
  });

  it('does not write twice what was written though its answer was lost', async () => {
    let lose = true;
    const { table, writer, append } = memoryJournal();
    const { insert } = table;
    vi.spyOn(table, 'insert').mockImplementation(async (rows) => {
      await insert.call(table, rows);
      if (lose) throw new Error('connection reset');
    });
    append(5);
    await writer.flush();
    lose = false;
    append(5);
    expect(await writer.settled('r')).toEqual({ written: 10, dropped: 0, complete: true });
    expect(table.numbers('r')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('does not overwrite the events of another process', async () => {
    const { table, writer } = memoryJournal(undefined, { attempts: 1 });
    writer.append(event('r'));
    await writer.flush();
    await table.insert([{ event: event('r', '"theirs"'), sequenceNumber: 2 }]);
    writer.append(event('r', '"ours"'));
    expect(await writer.settled('r')).toEqual({ written: 1, dropped: 1, complete: false });
    expect(table.rows.get('r 2')?.event.payload).toBe('"theirs"');
  });

  it('bounds what it holds by size too', async () => {
    const { writer } = memoryJournal(never, { maxQueuedCharacters: 10_000 });
    for (let i = 0; i < 5; i++) writer.append(event('r', JSON.stringify('x'.repeat(4_000))));
    expect(writer.counters()).toMatchObject({ appended: 5, dropped: 3, queued: 2 });
    await writer.close(1);
  });

  it('takes nothing after it was closed, and counts it', async () => {
    const { writer, append } = memoryJournal();
    append(1);
    await Promise.all([writer.close(), writer.close()]);
    append(1);
    expect(writer.counters()).toMatchObject({ appended: 2, written: 1, dropped: 1, queued: 0 });
  });

  it('forgets runs that are over', async () => {
    const { writer } = memoryJournal();
    writer.append(event('r'));
    writer.append(event('r'), true);
    expect(writer.receipt('r')).toBeDefined();
    await writer.flush();
    expect(writer.receipt('r')).toBeUndefined();
  });
});
