import libsql from 'libsql';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import {
  describeDatabases,
  type DatabaseServer,
  type TestDatabase,
} from '../../../../test/support/agent-databases.js';
import { AgentDatabase } from '../database/agent-database.js';
import { TypeOrmConversationStore } from '../sessions/typeorm-conversation.store.js';
import { AGENT_MIGRATIONS } from './agent.migrations.js';

/** Dropped also when the test fails. */
async function emptyPlace(server: DatabaseServer): Promise<TestDatabase> {
  const place = await server.create();
  onTestFinished(place.drop);
  return place;
}

const TABLES = AGENT_MIGRATIONS.flatMap(({ tables }) => tables);

await describeDatabases('Migrations', (server) => {
  it('opens three times at once on an empty database', async () => {
    const empty = await emptyPlace(server);
    const opened = await Promise.all([1, 2, 3].map(() => AgentDatabase.open(empty)));
    for (const each of opened) await each.query('SELECT COUNT(*) AS n FROM agent_run');
    const { rows } = await opened[0]!.query('SELECT name FROM agent_migration');
    expect(rows).toHaveLength(AGENT_MIGRATIONS.length);
    await Promise.all(opened.map((each) => each.close()));
  });

  it('needs one connection only', async () => {
    const { url } = await emptyPlace(server);
    const opened = await AgentDatabase.open({ url: url.replace(/^mysql:/, 'mariadb:'), poolSize: 1 });
    await Promise.all(
      [1, 2, 3].map(() => opened.transaction(({ query }) => query('UPDATE agent_run SET turn = 1'))),
    );
    expect((await opened.query('SELECT COUNT(*) AS n FROM agent_run')).rows).toHaveLength(1);
    await opened.close();
  });

  it('B153, B161: every table has portable columns; migrations go up, down and up again', async () => {
    const empty = await emptyPlace(server);
    const options = ownOptions(empty.url);
    const dataSource = await new DataSource({ ...options, migrations: [...AGENT_MIGRATIONS] }).initialize();
    const missing = async (): Promise<string[]> => {
      const runner = dataSource.createQueryRunner();
      const absent: string[] = [];
      for (const table of TABLES) if (!(await runner.hasTable(table))) absent.push(table);
      await runner.release();
      return absent;
    };
    for (let round = 0; round < 2; round++) {
      await dataSource.runMigrations();
      expect(await missing()).toEqual([]);
      await dataSource.undoLastMigration();
      expect(await missing()).toEqual(TABLES);
    }
    await dataSource.destroy();
  });

  it('B161: says which tables are missing and which migration makes them', async () => {
    const empty = await emptyPlace(server);
    await expect(AgentDatabase.open(empty, { migrations: 'check' })).rejects.toMatchObject({
      code: 'missing_tables',
      message: expect.stringMatching(/agent_run, .*agent_outbox.*AgentTables1796000000000/),
    });
    const dataSource = await new DataSource({
      ...ownOptions(empty.url),
      migrations: [...AGENT_MIGRATIONS],
    }).initialize();
    await dataSource.runMigrations();
    await dataSource.destroy();
    const opened = await AgentDatabase.open(empty, { migrations: 'check' });
    await opened.close();
  });

  it('B161: works beside a DataSource of the application that knows none of its tables', async () => {
    const empty = await emptyPlace(server);
    const options: DataSourceOptions = {
      ...ownOptions(empty.url),
      entities: [],
      synchronize: false,
      logging: false,
    };
    const application = await new DataSource(options).initialize();
    await application.query('CREATE TABLE own (n integer)');
    const beside = await AgentDatabase.open(options);
    const runner = application.createQueryRunner();
    await runner.startTransaction();
    await runner.query('INSERT INTO own (n) VALUES (1)');
    const store = new TypeOrmConversationStore(beside);
    await store.append('s', [{ role: 'user', content: 'hi' }], 0);
    await runner.rollbackTransaction();
    await runner.release();
    expect((await store.load('s')).version).toBe(1);
    expect(await application.query('SELECT * FROM own')).toEqual([]);
    await beside.close();
    await application.destroy();
  });
});

await describeDatabases(
  'Migrations',
  (server) => {
    it('keeps its tables in a schema of their own', async () => {
      const place = await emptyPlace(server);
      const database = await AgentDatabase.open({ url: place.url, schema: 'Agent X' });
      const store = new TypeOrmConversationStore(database);
      expect(await store.append('s', [{ role: 'user', content: 'hi' }], 0)).toBe(1);
      const { rows } = await database.query(
        `SELECT table_schema AS place FROM information_schema.tables WHERE table_name LIKE 'agent_%'`,
      );
      expect(new Set(rows.map(({ place: schema }) => schema))).toEqual(new Set(['Agent X']));
      await database.close();
    });
  },
  ({ name }) => name === 'PostgreSQL',
);

/** What an application would write. */
function ownOptions(url: string): DataSourceOptions {
  if (url.startsWith('postgres:')) return { type: 'postgres', url };
  if (url.startsWith('mysql:')) return { type: 'mysql', url };
  return { type: 'better-sqlite3', driver: libsql, database: url.slice('sqlite:'.length) };
}
