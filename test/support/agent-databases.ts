import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';

const POSTGRES = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const MYSQL = process.env['TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306/mysql';

/** An empty database of one test file. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

export interface DatabaseServer {
  readonly name: 'SQLite' | 'PostgreSQL' | 'MariaDB';
  /** False for a file, which one process has to itself. */
  readonly shared: boolean;
  create(): Promise<TestDatabase>;
}

const SERVERS: readonly DatabaseServer[] = [
  {
    name: 'SQLite',
    shared: false,
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'nestor-'));
      return {
        url: `sqlite:${join(folder, 'agent.db')}`,
        drop: () => rm(folder, { recursive: true, force: true }),
      };
    },
  },
  { name: 'PostgreSQL', shared: true, create: () => createOn(POSTGRES, ' WITH (FORCE)') },
  { name: 'MariaDB', shared: true, create: () => createOn(MYSQL) },
];

/**
 * The same tests on each database: SQLite always, the servers where they listen. One that does not is told of; on
 * CI that is a failure.
 */
export async function describeDatabases(
  title: string,
  tests: (server: DatabaseServer) => void,
  servers: (server: DatabaseServer) => boolean = () => true,
): Promise<void> {
  for (const server of SERVERS.filter(servers)) {
    const problem = await unreachable(server);
    describe(`${title} on ${server.name}`, () => {
      if (problem === undefined) return tests(server);
      it.skipIf(process.env['CI'] !== 'true')(`needs ${server.name}`, () => {
        expect(problem, `${server.name} does not answer`).toBeUndefined();
      });
    });
    if (problem !== undefined) console.warn(`SKIPPED: ${title} on ${server.name}: ${problem}`);
  }
}

const reachability = new Map<string, Promise<string | undefined>>();

function unreachable({ name }: DatabaseServer): Promise<string | undefined> {
  let answer = reachability.get(name);
  if (!answer) {
    const asked =
      name === 'SQLite' ? Promise.resolve() : run(name === 'MariaDB' ? MYSQL : POSTGRES, 'SELECT 1');
    answer = asked.then(() => undefined, String);
    reachability.set(name, answer);
  }
  return answer;
}

async function createOn(server: string, dropSuffix = ''): Promise<TestDatabase> {
  const name = `nestor_test_${randomUUID().replaceAll('-', '')}`;
  await run(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server, `DROP DATABASE IF EXISTS ${name}${dropSuffix}`) };
}

async function run(url: string, sql: string): Promise<void> {
  const type = url.startsWith('mysql:') ? 'mysql' : 'postgres';
  const dataSource = await new DataSource({ type, url }).initialize();
  try {
    await dataSource.query(sql);
  } finally {
    await dataSource.destroy();
  }
}
