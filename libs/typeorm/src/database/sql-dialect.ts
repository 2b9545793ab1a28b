/** The kinds of column the tables are made of. */
export type ColumnType =
  /** Up to 64 printable ASCII characters, compared byte by byte: ids, hashes, states. */
  | 'key'
  /** Up to 255 characters, compared byte by byte. */
  | 'name'
  /** Any length, not indexed. */
  | 'text'
  | 'int'
  /** Whole numbers up to 2^53, e.g. epoch milliseconds. */
  | 'bigint';

/** How a table is locked while migrations run, so that processes started together do not meet. */
export interface MigrationLock {
  /** Gives a row with `taken` = 1 once the lock is ours; a transient error also means that another holds it. */
  readonly take: string;
  readonly release: string;
  /** After a failed migration. */
  readonly abandon: string;
}

/** What differs between the databases. Everything else is one SQL for all. */
export interface SqlDialect {
  readonly kind: 'sqlite' | 'postgres' | 'mysql';
  /** True if all callers share one connection: statements then go one after another. */
  readonly singleConnection: boolean;
  /** The database's clock in epoch milliseconds, as an SQL expression. */
  readonly now: string;
  readonly begin: string;
  readonly columnTypes: Readonly<Record<ColumnType, string>>;
  /** Stands behind a CREATE TABLE. */
  readonly tableSuffix: string;
  readonly migrationLock: MigrationLock;
  /** Begins an INSERT that leaves out rows whose key is taken; `affected` then counts the rows that went in. */
  readonly insertIgnore: string;
  /** Ends such an INSERT. */
  readonly insertIgnoreSuffix: string;
  /** `?` as the driver wants it. */
  bind(sql: string): string;
  /** Codes of errors after which nothing was done and the same may be tried again: busy, deadlock. */
  readonly transientCodes: ReadonlySet<string>;
}
