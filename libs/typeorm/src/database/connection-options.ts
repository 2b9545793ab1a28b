import { mkdir } from 'node:fs/promises';
import { dirname, format, parse } from 'node:path';
import { AgentException } from '@nestor/core';
import type { DataSourceOptions } from 'typeorm';
import { AGENT_MIGRATIONS } from '../migrations/agent.migrations.js';
import type { AgentDatabaseSource } from './agent-database.options.js';
import { loadDriver } from './driver-package.js';
import { addressedOptions } from './database-url.js';

/** What no DataSource of the application decides: the tables, and what is written to a log. */
const OWN_OPTIONS = {
  entities: [],
  subscribers: [],
  migrations: [...AGENT_MIGRATIONS],
  migrationsTableName: 'agent_migration',
  migrationsRun: false,
  synchronize: false,
  dropSchema: false,
  cache: false,
  // A log line of TypeORM holds the parameters, and with them what users and tools said.
  logging: false,
} satisfies Partial<DataSourceOptions>;

/** Options about tables and logs that OWN_OPTIONS has no value for. */
const NOT_OURS: ReadonlySet<string> = new Set([
  'namingStrategy',
  'entityPrefix',
  'metadataTableName',
  'logger',
  'maxQueryExecutionTime',
  'isolationLevel',
]);

/**
 * The options of the DataSource that the agent database opens.
 * @throws AgentException `invalid_database` for a kind of database without support, `missing_package` without its driver
 */
export async function connectionOptions(source: AgentDatabaseSource): Promise<DataSourceOptions> {
  const given = isDataSource(source) ? source : addressedOptions(source);
  switch (given.type) {
    case 'postgres':
      return {
        ...pick(given),
        ...OWN_OPTIONS,
        type: 'postgres',
        driver: given.driver ?? (await loadDriver('pg', 'PostgreSQL')),
        connectTimeoutMS: given.connectTimeoutMS ?? 10_000,
        poolSize: given.poolSize ?? 10,
      };
    case 'mysql':
    case 'mariadb':
      return {
        ...pick(given),
        ...OWN_OPTIONS,
        type: given.type,
        driver: given.driver ?? (await loadDriver('mysql2', 'MySQL')),
        charset: 'utf8mb4',
        poolSize: given.poolSize ?? 10,
      };
    case 'better-sqlite3':
      return sqliteOptions(isDataSource(source) ? fileBeside(given.database) : given.database);
    case 'sqljs':
      return sqliteOptions(fileBeside(given.location ?? ':memory:'));
    default:
      throw new AgentException(
        `The agent database cannot be of type "${given.type}". ` +
          `Known types: better-sqlite3, sqljs, postgres, mysql, mariadb. ` +
          `Give it a database of its own: { url: 'sqlite:data/agent.db' }.`,
        { code: 'invalid_database' },
      );
  }
}

async function sqliteOptions(database: string): Promise<DataSourceOptions> {
  const driver = await loadDriver('libsql', 'SQLite');
  if (database !== ':memory:') await mkdir(dirname(database), { recursive: true });
  return {
    ...OWN_OPTIONS,
    type: 'better-sqlite3',
    driver,
    database,
    enableWAL: database !== ':memory:',
    // Another process that holds the file is waited for with timers, see retryTransient.
    timeout: 0,
  };
}

/** Two connections to one SQLite file wait for each other with the process standing still. */
function fileBeside(database: string): string {
  if (database === ':memory:' || database === '') return ':memory:';
  const { dir, name, ext } = parse(database);
  return format({ dir, name: `${name}.agent`, ext: ext || '.db' });
}

function isDataSource(source: AgentDatabaseSource): source is DataSourceOptions {
  return 'type' in source;
}

/** What is left of the application's options: the way to its server. */
function pick<T extends DataSourceOptions>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_OURS.has(name))) as T;
}
