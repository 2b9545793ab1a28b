import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildRuntime, type BuiltRuntime } from '../support/runtime-build.js';
import { RuntimeProcess } from '../support/runtime-process.js';

describe('A runtime that starts', () => {
  let built: BuiltRuntime;
  let folder: string;
  beforeAll(async () => {
    built = await buildRuntime();
    folder = await mkdtemp(join(tmpdir(), 'nestor-boot-'));
  }, 120_000);
  afterAll(async () => {
    await rm(built.directory, { recursive: true, force: true });
    await rm(folder, { recursive: true });
  });

  it('needs no database server: it makes a file below the folder it is started in', async () => {
    const runtime = await RuntimeProcess.start(built.file, {}, folder);
    try {
      expect(runtime.output).toContain('Data:   SQLite, data/agent.db\n');
      expect(existsSync(join(folder, 'data', 'agent.db'))).toBe(true);
    } finally {
      await runtime.kill();
    }
  });

  it.each([
    // Nothing listens on port 1.
    [
      'postgres://ann:s3cret@127.0.0.1:1/x',
      /postgres:\/\/ann@127\.0\.0\.1:1\/x cannot be opened: .*ECONNREFUSED/,
    ],
    ['mysql://ann:s3cret@127.0.0.1:1/x', /mysql:\/\/ann@127\.0\.0\.1:1\/x cannot be opened: .*ECONNREFUSED/],
    ['oracle://ann:s3cret@127.0.0.1/x', /DATABASE_URL begins with "oracle:"/],
    ['sqlite:/dev/null/agent.db', /\/dev\/null/],
  ])('says in one line that it cannot with DATABASE_URL=%s, and ends with 1', async (url, reason) => {
    const failure = await RuntimeProcess.start(built.file, { DATABASE_URL: url }, folder).catch(String);
    expect(failure).toMatch(/^Error: The runtime ended with 1:\nNestor cannot start\. .*\n$/);
    expect(failure).toMatch(reason);
    expect(failure).not.toContain('s3cret');
  });
});
