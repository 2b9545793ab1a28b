/** Where durable runs, sessions and the journal are kept. */
export const DEFAULT_DATABASE = 'sqlite:data/agent.db';

const SERVERS: ReadonlyMap<string, string> = new Map([
  ['postgres:', 'PostgreSQL'],
  ['postgresql:', 'PostgreSQL'],
  ['mysql:', 'MySQL'],
  ['mariadb:', 'MariaDB'],
]);
const FORMS = `DATABASE_URL=${DEFAULT_DATABASE}, postgres://user:password@host/database or mysql://user:password@host/database`;

/** Checks a DATABASE_URL. What it says of a wrong one never quotes it: it may hold a password. */
export function checkDatabaseUrl(value: string | undefined, problems: string[]): string {
  if (value === undefined) return DEFAULT_DATABASE;
  const problem = problemOf(value);
  if (problem !== undefined) problems.push(`DATABASE_URL ${problem}. Set e.g. ${FORMS}.`);
  return value;
}

/** For people: kind and place, without user and password. @param url a checked one */
export function describeDatabase(url: string): string {
  if (isSqlite(url)) {
    const file = sqliteFile(url);
    return file === ':memory:' ? 'SQLite in memory, gone with the process' : `SQLite, ${file}`;
  }
  const { protocol, host, pathname } = new URL(url);
  return `${SERVERS.get(protocol) ?? protocol} at ${host || 'this machine'}${pathname}`;
}

function problemOf(value: string): string | undefined {
  if (isSqlite(value)) return sqliteFile(value) === '' ? 'names no file' : undefined;
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(value)?.[0].toLowerCase();
  if (scheme === undefined) return 'does not begin with a kind of database';
  if (!SERVERS.has(scheme)) return `begins with "${scheme}", which is no database that Nestor knows`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  // A # or ? in a password ends the place of the server before it was named.
  const isCut = url?.hash !== '' || (value.includes('@') && url.username === '');
  if (!url || isCut) return 'cannot be read; in a password write # as %23, / as %2F, ? as %3F and @ as %40';
  if (url.pathname.length <= 1 && scheme !== 'postgres:' && scheme !== 'postgresql:')
    return 'names no database after the host';
  return undefined;
}

function isSqlite(url: string): boolean {
  return /^sqlite:/i.test(url);
}

function sqliteFile(url: string): string {
  return url.slice('sqlite:'.length).replace(/^\/\//, '');
}
