import type { SqlDialect } from './sql-dialect.js';

/** Any number; all processes of one database must use the same. */
const MIGRATION_LOCK = 7_302_718_401;

const numbered = new Map<string, string>();

/** PostgreSQL 13 or newer. */
export const POSTGRES: SqlDialect = {
  kind: 'postgres',
  singleConnection: false,
  now: `CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
  begin: 'BEGIN',
  columnTypes: {
    key: 'varchar(64) COLLATE "C"',
    name: 'varchar(255) COLLATE "C"',
    text: 'text',
    int: 'integer',
    bigint: 'bigint',
  },
  tableSuffix: '',
  migrationLock: {
    take: `SELECT CAST(pg_try_advisory_lock(${MIGRATION_LOCK}) AS integer) AS taken`,
    release: `SELECT pg_advisory_unlock(${MIGRATION_LOCK})`,
    abandon: `SELECT pg_advisory_unlock(${MIGRATION_LOCK})`,
  },
  insertIgnore: 'INSERT INTO',
  insertIgnoreSuffix: ' ON CONFLICT DO NOTHING',
  bind(sql) {
    let text = numbered.get(sql);
    if (text === undefined) {
      let index = 0;
      text = sql.replaceAll('?', () => `$${++index}`);
      numbered.set(sql, text);
    }
    return text;
  },
  transientCodes: new Set(['40001', '40P01']),
};
