import type { QueryRunner } from 'typeorm';
import { dialectOf, qualifiedName } from '../database/dialect-of.js';
import type { ColumnType } from '../database/sql-dialect.js';

/** `?` behind the type: the column may be null. */
export type ColumnSpec = ColumnType | `${ColumnType}?`;

export interface TableSpec {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnSpec>>;
  readonly primaryKey: readonly string[];
  readonly unique?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
}

/**
 * Creates a table with its indexes, on any of the databases. What is there already is left alone: MySQL commits
 * each of these statements at once, and a migration that broke off half-way must be able to run again.
 */
export async function createTable(runner: QueryRunner, spec: TableSpec): Promise<void> {
  const { options } = runner.dataSource;
  const dialect = dialectOf(options);
  const table = qualifiedName(options, spec.name);
  const lines = Object.entries(spec.columns).map(([name, column]) => {
    const type = dialect.columnTypes[column.replace('?', '') as ColumnType];
    return `${name} ${type}${column.endsWith('?') ? '' : ' NOT NULL'}`;
  });
  lines.push(`PRIMARY KEY (${spec.primaryKey.join(', ')})`);
  for (const columns of spec.unique ?? []) lines.push(`UNIQUE (${columns.join(', ')})`);
  const indexes = (spec.indexes ?? []).map((columns, index) => ({
    name: `${spec.name}_${index + 1}`,
    columns: columns.join(', '),
  }));
  // MySQL has no CREATE INDEX IF NOT EXISTS.
  const inline = dialect.kind === 'mysql';
  if (inline) lines.push(...indexes.map(({ name, columns }) => `INDEX ${name} (${columns})`));
  await runner.query(`CREATE TABLE IF NOT EXISTS ${table} (${lines.join(', ')})${dialect.tableSuffix}`);
  if (inline) return;
  for (const { name, columns } of indexes) {
    await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`);
  }
}

export async function dropTable(runner: QueryRunner, name: string): Promise<void> {
  await runner.query(`DROP TABLE IF EXISTS ${qualifiedName(runner.dataSource.options, name)}`);
}
