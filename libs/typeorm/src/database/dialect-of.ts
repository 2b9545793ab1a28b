import { AgentException } from '@nestor/core';
import type { DataSourceOptions } from 'typeorm';
import { MYSQL } from './mysql.dialect.js';
import { POSTGRES } from './postgres.dialect.js';
import type { SqlDialect } from './sql-dialect.js';
import { SQLITE } from './sqlite.dialect.js';

/** @throws AgentException `invalid_database` for a kind of database without support */
export function dialectOf({ type }: Pick<DataSourceOptions, 'type'>): SqlDialect {
  if (type === 'better-sqlite3') return SQLITE;
  if (type === 'postgres') return POSTGRES;
  if (type === 'mysql' || type === 'mariadb') return MYSQL;
  throw new AgentException(
    `The agent tables do not run on "${type}". Known types: better-sqlite3, postgres, mysql, mariadb.`,
    { code: 'invalid_database' },
  );
}

/** A table's name as it stands in SQL: with the schema, where the DataSource has one. */
export function qualifiedName(options: DataSourceOptions, table: string): string {
  const schema = options.type === 'postgres' ? options.schema : undefined;
  return schema === undefined ? table : `"${schema.replaceAll('"', '""')}".${table}`;
}
