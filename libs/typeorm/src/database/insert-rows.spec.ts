import { describe, expect, it } from 'vitest';
import { insertRows } from './insert-rows.js';
import type { SqlValue } from './sql-executor.js';

async function insert(rows: readonly (readonly SqlValue[])[], suffix?: string) {
  const statements: { sql: string; parameters: readonly SqlValue[] }[] = [];
  const executor = {
    query: (sql: string, parameters: readonly SqlValue[] = []) => {
      statements.push({ sql, parameters });
      return Promise.resolve({ rows: [], affected: parameters.length / 2 });
    },
  };
  const inserted = await insertRows(executor, 'INSERT INTO t', ['a', 'b'], rows, suffix);
  return { inserted, statements };
}

describe('insertRows', () => {
  it('makes one statement of what fits', async () => {
    expect(
      await insert(
        [
          [1, 'x'],
          [2, null],
        ],
        ' ON CONFLICT DO NOTHING',
      ),
    ).toEqual({
      inserted: 2,
      statements: [
        {
          sql: 'INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING',
          parameters: [1, 'x', 2, null],
        },
      ],
    });
  });

  it('makes none of nothing', async () => {
    expect(await insert([])).toEqual({ inserted: 0, statements: [] });
  });

  it('takes 200 rows at once, and fewer long ones', async () => {
    const rowCounts = async (rows: readonly (readonly SqlValue[])[]): Promise<number[]> =>
      (await insert(rows)).statements.map(({ parameters }) => parameters.length / 2);
    expect(await rowCounts(Array.from({ length: 450 }, (_, n) => [n, 'x']))).toEqual([200, 200, 50]);
    expect(await rowCounts(Array.from({ length: 5 }, (_, n) => [n, 'x'.repeat(150_000)]))).toEqual([2, 2, 1]);
    expect(
      await rowCounts([
        [1, 'x'.repeat(1_000_000)],
        [2, 'y'],
      ]),
    ).toEqual([1, 1]);
  });
});
