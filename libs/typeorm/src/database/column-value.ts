/** A number as the drivers give it: PostgreSQL and MySQL send `bigint` as text. NaN for anything else. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
}

/** A text column; empty where the database has null. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
