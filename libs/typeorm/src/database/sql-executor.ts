export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

export interface SqlResult {
  /** Empty for statements that give no rows. */
  readonly rows: readonly SqlRow[];
  /** Rows inserted, matched by an UPDATE, or deleted. */
  readonly affected: number;
}

/** Takes statements: the database itself, or a transaction of it. */
export interface SqlExecutor {
  /** @param sql one statement with `?` for each parameter; no other question mark. */
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlResult>;
}
