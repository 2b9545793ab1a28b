import { expect, it, vi } from 'vitest';
import { AgentDatabase } from './agent-database.js';
import { loadDriver } from './driver-package.js';

it('names the missing package and the line that installs it', async () => {
  // The name of a package that is not there, in place of one that is.
  const missing = loadDriver('pg-that-is-not-there' as 'pg', 'PostgreSQL');
  await expect(missing).rejects.toMatchObject({
    code: 'missing_package',
    message: expect.stringMatching(/on PostgreSQL needs.*npm install pg-that-is-not-there/),
  });
});

it('shows when the database is opened', async () => {
  vi.doMock('libsql', () => {
    throw new Error('not there');
  });
  const opening = AgentDatabase.open({ url: 'sqlite::memory:' });
  await expect(opening).rejects.toMatchObject({ code: 'missing_package' });
  vi.doUnmock('libsql');
});
