// The databases to measure on: each with an empty database of its own, and a bare connection by its driver.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'libsql';
import mysql from 'mysql2/promise';
import pg from 'pg';

const POSTGRES = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const MYSQL = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql';

/** `create` rejects where no server listens; `bare` gives `query(sql, values)` with `?` for the values, and `close`. */
export const DATABASES = [
  { name: 'SQLite', create: createFile, bare: bareSqlite },
  { name: 'PostgreSQL', create: () => createOn(POSTGRES, barePostgres), bare: barePostgres },
  { name: 'MariaDB', create: () => createOn(MYSQL, bareMysql), bare: bareMysql },
];

async function createFile() {
  const folder = mkdtempSync(join(tmpdir(), 'nestor-bench-'));
  return {
    url: `sqlite:${join(folder, 'agent.db')}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createOn(server, bare) {
  const name = `nestor_bench_${randomUUID().replaceAll('-', '')}`;
  const once = async (sql) => {
    const connection = await bare(server);
    await connection.query(sql);
    await connection.close();
  };
  await once(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => once(`DROP DATABASE ${name}`) };
}

async function bareSqlite(url) {
  const database = new Sqlite(url.replace('sqlite:', ''));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000');
  return {
    query: async (sql, values = []) => void database.prepare(sql).run(...values),
    close: async () => void database.close(),
  };
}

async function barePostgres(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    query: (sql, values) => {
      let place = 0;
      return client.query(
        sql.replaceAll('?', () => `$${++place}`),
        values,
      );
    },
    close: () => client.end(),
  };
}

async function bareMysql(uri) {
  const connection = await mysql.createConnection(uri);
  return { query: (sql, values = []) => connection.query(sql, values), close: () => connection.end() };
}
