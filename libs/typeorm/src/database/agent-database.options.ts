import type { AgentLogger } from '@nestor/core';
import type { DataSourceOptions } from 'typeorm';

/** A database by its address. */
export interface AgentDatabaseUrl {
  /**
   * `sqlite:data/agent.db`, `sqlite:///var/lib/agent.db`, `sqlite::memory:` (gone with the process),
   * `postgres://user:password@host/database` (with the driver's parameters, e.g. `?sslmode=require`),
   * `mysql://…` or `mariadb://…` (`?ssl=true`).
   */
  readonly url: string;
  /** Where the tables go on PostgreSQL; made if it is missing. Default: the connection's own schema. */
  readonly schema?: string;
  /** Connections at most, >= 1; SQLite always has one. Default 10. */
  readonly poolSize?: number;
}

/**
 * Where the tables are: an address, or the options of the application's own DataSource, from which only the way to
 * the server is taken. With a SQLite DataSource the tables go into a file of their own beside the application's.
 */
export type AgentDatabaseSource = AgentDatabaseUrl | DataSourceOptions;

export interface AgentDatabaseOptions {
  /** `run`: apply what is missing when the database is opened. `check`: only tell. Default `run`. */
  readonly migrations?: 'run' | 'check';
  /**
   * How long a statement or transaction may take, the wait for a connection included, before its connection is given
   * up, in ms, > 0. Without effect on SQLite. Default 10,000.
   */
  readonly statementLimitMs?: number;
  /** Default: silent. */
  readonly logger?: AgentLogger;
}
