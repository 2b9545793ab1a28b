import type { SqlExecutor, SqlValue } from './sql-executor.js';

/** More in one statement fail on SQLite. */
const MOST_ROWS = 200;
/** MySQL refuses packets of 16 MB, older servers of 1 MB. */
const MOST_CHARACTERS = 400_000;

/**
 * Inserts rows in as few statements as every database takes, and gives the number that went in.
 * @param insert e.g. `INSERT INTO agent_message`
 * @param suffix stands behind the values
 */
export async function insertRows(
  executor: SqlExecutor,
  insert: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  suffix = '',
): Promise<number> {
  const place = `(${columns.map(() => '?').join(', ')})`;
  let inserted = 0;
  for (const chunk of chunksOf(rows)) {
    const places = Array.from({ length: chunk.length }, () => place).join(', ');
    const sql = `${insert} (${columns.join(', ')}) VALUES ${places}${suffix}`;
    inserted += (await executor.query(sql, chunk.flat())).affected;
  }
  return inserted;
}

function* chunksOf(rows: readonly (readonly SqlValue[])[]): Generator<readonly (readonly SqlValue[])[]> {
  let start = 0;
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    const size = row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
    if (index > start && (index - start >= MOST_ROWS || characters + size > MOST_CHARACTERS)) {
      yield rows.slice(start, index);
      start = index;
      characters = 0;
    }
    characters += size;
  }
  if (start < rows.length) yield rows.slice(start);
}
