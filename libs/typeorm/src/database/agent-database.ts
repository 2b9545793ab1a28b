import { AgentException, SILENT_LOGGER, type AgentLogger } from '@nestor/core';
import { DataSource, type QueryRunner } from 'typeorm';
import { checkTables, runMigrations } from '../migrations/run-migrations.js';
import { within } from '../waiting/within.js';
import type { AgentDatabaseOptions, AgentDatabaseSource } from './agent-database.options.js';
import { connectionOptions } from './connection-options.js';
import { shownUrl } from './database-url.js';
import { dialectOf, qualifiedName } from './dialect-of.js';
import { errorMessage } from './error-message.js';
import { FifoMutex } from './fifo.mutex.js';
import { retryTransient } from './retry-transient.js';
import type { SqlDialect } from './sql-dialect.js';
import type { SqlExecutor, SqlResult, SqlValue } from './sql-executor.js';
import { asUnavailable } from './unavailable.js';
import { withRunner } from './with-runner.js';

const STATEMENT_LIMIT_MS = 10_000;
/** How long `close` waits for statements under way. */
const CLOSE_LIMIT_MS = 10_000;
/** How long `close` then waits for the driver to say goodbye to a server that may be away. */
const GOODBYE_LIMIT_MS = 2_000;

/**
 * The database of the agents' tables, with a DataSource of its own: a transaction of the application never holds
 * rows of ours, nor takes them along when it is rolled back.
 */
export class AgentDatabase implements SqlExecutor {
  readonly dialect: SqlDialect;
  readonly logger: AgentLogger;
  readonly #dataSource: DataSource;
  readonly #limitMs: number | undefined;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #line = new FifoMutex();
  #closing: Promise<void> | undefined;

  private constructor(dataSource: DataSource, options: AgentDatabaseOptions) {
    this.#dataSource = dataSource;
    this.dialect = dialectOf(dataSource.options);
    this.logger = options.logger ?? SILENT_LOGGER;
    // SQLite answers before it returns.
    if (!this.dialect.singleConnection) this.#limitMs = options.statementLimitMs ?? STATEMENT_LIMIT_MS;
  }

  /**
   * Connects and brings the tables up to date.
   * @throws AgentException `invalid_database`, `missing_package`, `database_unavailable`, `missing_tables`
   */
  static async open(source: AgentDatabaseSource, options: AgentDatabaseOptions = {}): Promise<AgentDatabase> {
    const dataSource = new DataSource(await connectionOptions(source));
    await connect(dataSource, source);
    try {
      if (options.migrations !== 'check') await runMigrations(dataSource);
      await checkTables(dataSource);
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
    return new AgentDatabase(dataSource, options);
  }

  /** True once it takes no more statements. */
  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** The name of a table as it stands in a statement. */
  table(name: string): string {
    return qualifiedName(this.#dataSource.options, name);
  }

  /**
   * One statement, committed by itself. Inside a transaction use what `transaction` gives: on SQLite this would
   * wait for that very transaction.
   * @throws AgentException `database_unavailable` if it cannot be reached or does not answer in time, when it may
   * still have been done; `database_closed`
   */
  query(sql: string, parameters?: readonly SqlValue[]): Promise<SqlResult> {
    return this.#perform((runner) => execute(runner, this.dialect, sql, parameters));
  }

  /**
   * Commits what `work` did, or nothing of it if it throws. After a deadlock it is all done again, so `work` must
   * do nothing but statements.
   * @throws as `query`
   */
  transaction<T>(work: (executor: SqlExecutor) => Promise<T>): Promise<T> {
    return this.#perform(async (runner) => {
      await runner.query(this.dialect.begin);
      try {
        const result = await work({
          query: (sql, parameters) => execute(runner, this.dialect, sql, parameters),
        });
        await runner.query('COMMIT');
        return result;
      } catch (error) {
        // A lost connection has rolled back by itself.
        await runner.query('ROLLBACK').catch(() => {});
        throw error;
      }
    });
  }

  /** The database's clock in epoch milliseconds. */
  async now(): Promise<number> {
    const { rows } = await this.query(`SELECT ${this.dialect.now} AS now`);
    return Number(rows[0]?.['now']);
  }

  /** Takes nothing more, waits for what is under way, ten seconds at most, and disconnects. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  #perform<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(closed());
    const attempt = (): Promise<T> =>
      retryTransient(this.dialect.transientCodes, () => withRunner(this.#dataSource, this.#limitMs, work));
    const answer = this.dialect.singleConnection ? this.#line.run(attempt) : attempt();
    const result = answer.catch((error: unknown) => {
      throw asUnavailable(error);
    });
    const tracked = result.then(
      () => void this.#underWay.delete(tracked),
      () => void this.#underWay.delete(tracked),
    );
    this.#underWay.add(tracked);
    return result;
  }

  async #end(): Promise<void> {
    const late = (): Error => new Error(`${this.#underWay.size} statements are still under way`);
    await within(CLOSE_LIMIT_MS, Promise.all(this.#underWay), late).catch((error: unknown) => {
      this.logger.warn(`The agent database was closed though ${errorMessage(error)}.`);
    });
    const silent = (): Error => new Error('its server does not say goodbye');
    await within(GOODBYE_LIMIT_MS, this.#dataSource.destroy(), silent).catch((error: unknown) => {
      this.logger.warn(`The agent database was left though ${errorMessage(error)}.`);
    });
  }
}

async function execute(
  runner: QueryRunner,
  dialect: SqlDialect,
  sql: string,
  parameters: readonly SqlValue[] = [],
): Promise<SqlResult> {
  // As a copy: the drivers may keep the list.
  const result = await runner.query(dialect.bind(sql), [...parameters], true);
  return { rows: result.records, affected: result.affected ?? 0 };
}

async function connect(dataSource: DataSource, source: AgentDatabaseSource): Promise<void> {
  try {
    await dataSource.initialize();
  } catch (cause) {
    const place = 'url' in source && source.url ? shownUrl(source.url) : dataSource.options.type;
    throw new AgentException(
      `The agent database ${place} cannot be opened: ${errorMessage(cause)}. ` +
        `Check its address (DATABASE_URL), and that the server runs.`,
      { code: 'database_unavailable', cause },
    );
  }
}

function closed(): AgentException {
  return new AgentException('The agent database is closed. Finish what uses it before you close it.', {
    code: 'database_closed',
  });
}
