import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import libsql from 'libsql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { AgentDatabase } from './agent-database.js';

await describeDatabases('AgentDatabase', (server) => {
  let place: TestDatabase;
  let database: AgentDatabase;

  beforeAll(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place);
    await database.query('CREATE TABLE numbers (n integer PRIMARY KEY)');
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });
  afterEach(() => database.query('DELETE FROM numbers'));

  const numbers = async (): Promise<number[]> =>
    (await database.query('SELECT n FROM numbers ORDER BY n')).rows.map(({ n }) => Number(n));

  it('gives rows, and how many were affected, matched ones included', async () => {
    expect(await database.query('INSERT INTO numbers (n) VALUES (?), (?)', [1, 2])).toMatchObject({
      affected: 2,
    });
    expect(await database.query('UPDATE numbers SET n = n WHERE n > ?', [0])).toMatchObject({ affected: 2 });
    expect(await database.query('DELETE FROM numbers WHERE n = ?', [7])).toEqual({ rows: [], affected: 0 });
    expect(await database.query('SELECT ? AS a, ? AS b', ['x', null])).toMatchObject({
      rows: [{ a: 'x', b: null }],
    });
    const { insertIgnore, insertIgnoreSuffix } = database.dialect;
    const ignore = `${insertIgnore} numbers (n) VALUES (?), (?)${insertIgnoreSuffix}`;
    expect(await database.query(ignore, [2, 3])).toMatchObject({ affected: 1 });
  });

  it('tells the time in whole milliseconds, as the server of this machine has it', async () => {
    const before = Date.now();
    const now = await database.now();
    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(before - 1);
    expect(now).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('commits all of a transaction or nothing', async () => {
    await database.transaction(async ({ query }) => {
      await query('INSERT INTO numbers (n) VALUES (1)');
      await query('INSERT INTO numbers (n) VALUES (2)');
    });
    const failing = database.transaction(async ({ query }) => {
      await query('INSERT INTO numbers (n) VALUES (3)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await numbers()).toEqual([1, 2]);
  });

  it('keeps a statement made beside a transaction that is rolled back', async () => {
    let beside: Promise<unknown> | undefined;
    const failing = database.transaction(async ({ query }) => {
      await query('INSERT INTO numbers (n) VALUES (1)');
      beside = database.query('INSERT INTO numbers (n) VALUES (2)');
      await query('INSERT INTO numbers (n) VALUES (3)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await beside;
    expect(await numbers()).toEqual([2]);
  });

  it('runs many transactions at once', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.transaction(async ({ query }) => {
          await query('INSERT INTO numbers (n) VALUES (?)', [n]);
          await query('INSERT INTO numbers (n) VALUES (?)', [n + 100]);
        }),
      ),
    );
    expect(await numbers()).toHaveLength(80);
  });

  it('repeats a transaction that lost a deadlock or met a busy file', async () => {
    await database.query('INSERT INTO numbers (n) VALUES (1), (2)');
    const second = await AgentDatabase.open(place);
    const met: (() => void)[] = [];
    const bothHoldOne = new Promise<void>((resolve) => met.push(resolve));
    let waiting = 2;
    const swap = (own: AgentDatabase, first: number, then: number): Promise<void> =>
      own.transaction(async ({ query }) => {
        await query('UPDATE numbers SET n = n WHERE n = ?', [first]);
        // On SQLite the other cannot begin before this one ends: there is nothing to meet.
        if (--waiting <= 0 || !server.shared) met[0]?.();
        await bothHoldOne;
        await query('UPDATE numbers SET n = n WHERE n = ?', [then]);
        await query('INSERT INTO numbers (n) VALUES (?)', [first + 10]);
      });
    await Promise.all([swap(database, 1, 2), swap(second, 2, 1)]);
    await second.close();
    expect(await numbers()).toEqual([1, 2, 11, 12]);
  });

  it('close waits for what is under way and takes nothing more', async () => {
    const own = await AgentDatabase.open(place);
    const writes = Array.from({ length: 20 }, (_, n) => own.query('INSERT INTO numbers (n) VALUES (?)', [n]));
    const closing = own.close();
    await expect(own.query('SELECT 1')).rejects.toMatchObject({ code: 'database_closed' });
    expect(await Promise.all([closing, own.close()])).toEqual([undefined, undefined]);
    await Promise.all(writes);
    expect(await numbers()).toHaveLength(20);
  });
});

describe('AgentDatabase on SQLite files', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'nestor-'))));
  afterAll(() => rm(folder, { recursive: true }));

  it('makes the folder, and takes a file of its own beside the application’s', async () => {
    const file = join(folder, 'data', 'app.sqlite');
    const database = await AgentDatabase.open({ type: 'better-sqlite3', driver: libsql, database: file });
    await database.close();
    expect(await readdir(join(folder, 'data'))).toContain('app.agent.sqlite');
  });

  it('keeps a database in memory for itself', async () => {
    const [one, two] = [
      await AgentDatabase.open({ url: 'sqlite::memory:' }),
      await AgentDatabase.open({ url: 'sqlite::memory:' }),
    ];
    await one.query('CREATE TABLE x (n integer)');
    await expect(two.query('SELECT * FROM x')).rejects.toThrow(/no such table/);
    await Promise.all([one.close(), two.close()]);
  });

  it('writes ahead, so that readers do not wait', async () => {
    const database = await AgentDatabase.open({ url: `sqlite:${join(folder, 'wal.db')}` });
    const { rows } = await database.query('PRAGMA journal_mode');
    expect(rows).toEqual([{ journal_mode: 'wal' }]);
    await database.close();
  });
});
