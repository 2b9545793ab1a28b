import { AgentException } from '@nestor/core';
import type { DataSourceOptions } from 'typeorm';
import type { AgentDatabaseUrl } from './agent-database.options.js';

const FORMS = `sqlite:data/agent.db, postgres://user:password@host/database, mysql://user:password@host/database`;

/**
 * The DataSource options an address stands for.
 * @throws AgentException `invalid_database` if the address is none; the message never shows a password
 */
export function addressedOptions(source: AgentDatabaseUrl): DataSourceOptions {
  const { url, schema, poolSize } = source;
  const size = poolSize === undefined ? {} : { poolSize };
  const scheme = /^([a-z0-9+]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'sqlite':
      return { type: 'better-sqlite3', database: sqliteFile(url) };
    case 'postgres':
    case 'postgresql':
      return { type: 'postgres', url: parsed(url).href, ...size, ...(schema !== undefined && { schema }) };
    case 'mysql':
    case 'mariadb':
      return { type: scheme, ...serverOf(parsed(url)), ...size };
    default:
      throw invalid(`The database URL ${scheme ? `begins with "${scheme}:"` : 'has no scheme'}`);
  }
}

/** An address that may be shown: without its password, however badly that is written, and without its parameters. */
export function shownUrl(url: string): string {
  return url.replace(/(:\/\/[^:@/]*):.*@/s, '$1@').replace(/\?.*$/s, '');
}

function sqliteFile(url: string): string {
  const path = url.slice('sqlite:'.length).replace(/^\/\//, '');
  if (path === '') throw invalid(`The database URL "${url}" names no file`);
  return path;
}

function serverOf(url: URL): {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
} {
  const unknown = [...url.searchParams.keys()].filter((name) => name !== 'ssl');
  if (unknown.length > 0) {
    throw new AgentException(
      `The database URL has the parameter "${unknown[0]}"; known is ssl. Give DataSource options for more.`,
      { code: 'invalid_database' },
    );
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw invalid(`The database URL "${shownUrl(url.href)}" names no database`);
  return {
    // An IPv6 address without its brackets.
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ...(url.searchParams.get('ssl') === 'true' && { ssl: { rejectUnauthorized: true } }),
  };
}

function parsed(url: string): URL {
  try {
    return new URL(url);
  } catch {
    // Without its cause: that one holds the text, and with it the password.
    throw invalid(`The database URL "${shownUrl(url)}" cannot be read; write special characters as %40`);
  }
}

function invalid(problem: string): AgentException {
  return new AgentException(`${problem}. Known forms: ${FORMS}.`, { code: 'invalid_database' });
}
