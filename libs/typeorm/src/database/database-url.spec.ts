import { describe, expect, it } from 'vitest';
import { AgentDatabase } from './agent-database.js';

describe('AgentDatabase without a database', () => {
  it.each([
    ['postgres://ann:s3cret@127.0.0.1:1/app', 'database_unavailable', 'postgres://ann@127.0.0.1:1/app'],
    ['mysql://ann:s3cret@127.0.0.1:1/app', 'database_unavailable', 'mysql://ann@127.0.0.1:1/app'],
    ['oracle://ann:s3cret@host/app', 'invalid_database', 'begins with "oracle:"'],
    ['data/agent.db', 'invalid_database', 'no scheme'],
    ['sqlite:', 'invalid_database', 'names no file'],
    ['mysql://ann:s3cret@host/', 'invalid_database', 'names no database'],
    ['mysql://ann:s3cret@host/app?compress=1', 'invalid_database', 'parameter "compress"'],
    ['postgres://ann:s3#cret@ho st/app', 'invalid_database', 'cannot be read'],
    ['postgres://ann:s3/cr?et@host/app', 'invalid_database', 'postgres://ann@host/app'],
  ])('says what is wrong with %s and keeps the password', async (url, code, text) => {
    const error = await AgentDatabase.open({ url }).then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown as Error,
    );
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) });
    expect(error.message).not.toMatch(/s3|cret@/);
  });

  it('names the types it knows', async () => {
    await expect(AgentDatabase.open({ type: 'mongodb', url: 'mongodb://x' })).rejects.toMatchObject({
      code: 'invalid_database',
      message: expect.stringContaining('better-sqlite3, sqljs, postgres, mysql, mariadb'),
    });
  });
});
