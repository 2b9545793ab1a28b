import { describe, expect, it } from 'vitest';
import { checkDatabaseUrl, describeDatabase } from './database-address.js';

function problemsOf(url: string): readonly string[] {
  const problems: string[] = [];
  checkDatabaseUrl(url, problems);
  return problems;
}

describe('checkDatabaseUrl', () => {
  it('keeps everything in one file below the working directory by default', () => {
    expect(checkDatabaseUrl(undefined, [])).toBe('sqlite:data/agent.db');
  });

  it.each([
    ['sqlite:data/agent.db', 'SQLite, data/agent.db'],
    ['sqlite:///var/lib/agent.db', 'SQLite, /var/lib/agent.db'],
    ['sqlite::memory:', 'SQLite in memory, gone with the process'],
    ['postgres://ann:hidden@db.example:5433/agents?sslmode=require', 'PostgreSQL at db.example:5433/agents'],
    ['postgresql:///agents?host=/var/run/postgresql', 'PostgreSQL at this machine/agents'],
    ['mysql://ann:hid%40den@db.example/agents', 'MySQL at db.example/agents'],
    ['mariadb://ann@[::1]:3307/agents', 'MariaDB at [::1]:3307/agents'],
  ])('takes %s', (url, shown) => {
    expect(problemsOf(url)).toEqual([]);
    expect(describeDatabase(url)).toBe(shown);
  });

  it.each([
    ['data/agent.db', /does not begin with a kind of database/],
    ['sqlite:', /names no file/],
    ['oracle://ann:hidden@host/x', /begins with "oracle:"/],
    ['postgres://ann:hid/den@host/x', /cannot be read.*%2F/],
    ['postgres://ann:12#hidden@host/x', /cannot be read.*%23/],
    ['postgres://ann:12?hidden@host/x', /cannot be read/],
    ['mysql://ann:hidden@host', /names no database/],
    ['mysql://ann:hidden@host/', /names no database/],
  ])('refuses %s with what would do, and does not quote it', (url, problem) => {
    expect(problemsOf(url)).toEqual([expect.stringMatching(problem)]);
    expect(problemsOf(url)[0]).toMatch(/^DATABASE_URL .* Set e\.g\. DATABASE_URL=sqlite:data\/agent\.db/);
    expect(problemsOf(url)[0]).not.toMatch(/hid|\bann\b|\b12\b/);
  });
});
