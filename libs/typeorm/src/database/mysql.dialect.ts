import type { SqlDialect } from './sql-dialect.js';

// The lock is the server's, not the database's.
const LOCK_NAME = `CONCAT('nestor:', MD5(DATABASE()))`;

/** MySQL 8 and MariaDB 10.6 or newer, through mysql2. */
export const MYSQL: SqlDialect = {
  kind: 'mysql',
  singleConnection: false,
  // Not UNIX_TIMESTAMP(NOW(3)): that goes through the session's time zone and its hour that comes twice.
  now: `TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000`,
  begin: 'START TRANSACTION',
  columnTypes: {
    key: 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin',
    name: 'varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    // `text` ends at 64 KB.
    text: 'longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    int: 'int',
    bigint: 'bigint',
  },
  tableSuffix: ' ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin',
  migrationLock: {
    take: `SELECT GET_LOCK(${LOCK_NAME}, 0) AS taken`,
    release: `SELECT RELEASE_LOCK(${LOCK_NAME})`,
    abandon: `SELECT RELEASE_LOCK(${LOCK_NAME})`,
  },
  insertIgnore: 'INSERT IGNORE INTO',
  insertIgnoreSuffix: '',
  bind: (sql) => sql,
  transientCodes: new Set(['ER_LOCK_DEADLOCK']),
};
