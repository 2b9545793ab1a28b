import { AgentException } from '@nestor/core';
import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';
import { dialectOf } from '../database/dialect-of.js';
import { errorCode } from '../database/retry-transient.js';
import type { SqlDialect } from '../database/sql-dialect.js';
import { pause } from '../waiting/pause.js';
import { AGENT_MIGRATIONS } from './agent.migrations.js';

/** How long another process may take for its migrations. */
const LOCK_WAIT_MS = 60_000;
const POLL_MS = 50;

/**
 * Applies the migrations that are missing. Processes that start together go one after another.
 * @throws AgentException `migration_locked` if another process holds the lock for a minute
 */
export async function runMigrations(dataSource: DataSource): Promise<void> {
  const dialect = dialectOf(dataSource.options);
  await withRunner(dataSource, async (runner) => {
    await takeLock(runner, dialect);
    try {
      await createSchema(dataSource, runner);
      const executor = new MigrationExecutor(dataSource, runner);
      // On SQLite the lock is a transaction already.
      executor.transaction = dialect.singleConnection ? 'none' : 'each';
      await executor.executePendingMigrations();
      await runner.query(dialect.migrationLock.release);
    } catch (error) {
      // What went wrong first is what counts.
      await runner.query(dialect.migrationLock.abandon).catch(() => {});
      throw error;
    }
  });
}

/** @throws AgentException `missing_tables` naming the tables and the migration that creates them */
export async function checkTables(dataSource: DataSource): Promise<void> {
  const schema = schemaOf(dataSource);
  await withRunner(dataSource, async (runner) => {
    for (const migration of AGENT_MIGRATIONS) {
      const missing: string[] = [];
      for (const table of migration.tables) {
        if (!(await runner.hasTable(schema === undefined ? table : `${schema}.${table}`)))
          missing.push(table);
      }
      if (missing.length === 0) continue;
      throw new AgentException(
        `The agent database lacks ${missing.join(', ')}. The migration ${migration.name} creates them: open the ` +
          `database with migrations: 'run', or run AGENT_MIGRATIONS of @nestor/typeorm with your own migrations.`,
        { code: 'missing_tables' },
      );
    }
  });
}

async function takeLock(runner: QueryRunner, dialect: SqlDialect): Promise<void> {
  const until = Date.now() + LOCK_WAIT_MS;
  while (!(await tryLock(runner, dialect))) {
    if (Date.now() > until) {
      throw new AgentException(
        `Another process has held the lock for migrations of the agent database for ${LOCK_WAIT_MS / 1000} s. ` +
          `Let it finish, or end it, and start again.`,
        { code: 'migration_locked' },
      );
    }
    await pause(POLL_MS);
  }
}

async function tryLock(runner: QueryRunner, dialect: SqlDialect): Promise<boolean> {
  try {
    const { records } = await runner.query(dialect.migrationLock.take, [], true);
    const [row]: readonly { readonly taken?: unknown }[] = records;
    return row === undefined || Number(row.taken) === 1;
  } catch (error) {
    if (dialect.transientCodes.has(errorCode(error))) return false;
    throw error;
  }
}

function schemaOf({ options }: DataSource): string | undefined {
  return options.type === 'postgres' ? options.schema : undefined;
}

async function createSchema(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const schema = schemaOf(dataSource);
  // Asked first: IF NOT EXISTS wants the right to create even where nothing is to be created.
  if (schema !== undefined && !(await runner.hasSchema(schema))) await runner.createSchema(schema, true);
}

async function withRunner(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await work(runner);
  } finally {
    await runner.release();
  }
}
