import type { SqlDialect } from './sql-dialect.js';

/** SQLite 3.42 or newer, through libsql. */
export const SQLITE: SqlDialect = {
  kind: 'sqlite',
  singleConnection: true,
  now: `CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  // A deferred transaction that turns into a writer cannot be repeated when it meets another; this one can.
  begin: 'BEGIN IMMEDIATE',
  columnTypes: { key: 'text', name: 'text', text: 'text', int: 'integer', bigint: 'integer' },
  tableSuffix: '',
  migrationLock: { take: 'BEGIN IMMEDIATE', release: 'COMMIT', abandon: 'ROLLBACK' },
  insertIgnore: 'INSERT INTO',
  insertIgnoreSuffix: ' ON CONFLICT DO NOTHING',
  bind: (sql) => sql,
  transientCodes: new Set(['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_LOCKED']),
};
