import { AgentException, SessionBusyException, type AgentLogger, type LlmMessage } from '@nestor/core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { AgentDatabase } from '../database/agent-database.js';
import { hashKey } from '../database/storage-key.js';
import { TypeOrmConversationStore } from './typeorm-conversation.store.js';

const user = (content: string): LlmMessage => ({ role: 'user', content });
const numbered = (from: number, to: number): LlmMessage[] =>
  Array.from({ length: to - from + 1 }, (_, index) => user(`${from + index}`));
const called: LlmMessage = {
  role: 'assistant',
  content: null,
  toolCalls: [{ id: 'c', name: 'find', arguments: '{}' }],
};
const result: LlmMessage = { role: 'tool', content: 'found', toolCallId: 'c' };

await describeDatabases('TypeOrmConversationStore', (server) => {
  const logger = { log: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies AgentLogger;
  let place: TestDatabase;
  let database: AgentDatabase;

  beforeAll(async () => {
    place = await server.create();
    database = await AgentDatabase.open(place, { logger });
  });
  afterAll(async () => {
    await database.close();
    await place.drop();
  });
  /** As if time had passed since the last use. */
  const age = (ms: number): Promise<unknown> =>
    database.query('UPDATE agent_session SET updated_at = updated_at - ?', [ms]);
  const expireLeases = (): Promise<unknown> => database.query('UPDATE agent_lease SET lease_until = 0');

  it('B90: a window of ten among a hundred messages is the last ten, in order', async () => {
    const store = new TypeOrmConversationStore(database, { loadLimit: 10 });
    await store.append('b90', numbered(1, 60), 0);
    await store.append('b90', numbered(61, 100), 1);
    // All within one millisecond: only their numbers tell the order.
    await database.query('UPDATE agent_message SET created_at = 5');
    expect(await store.load('b90')).toEqual({ messages: numbered(91, 100), version: 2 });
    expect(await store.append('b90', [user('101')], 2)).toBe(3);
    expect((await store.load('b90')).messages).toEqual(numbered(92, 101));
  });

  it('keeps the latest messages, a result never without its call', async () => {
    const store = new TypeOrmConversationStore(database, { maxMessages: 3 });
    await store.append('cap', [user('1'), user('2'), called, result], 0);
    expect((await store.load('cap')).messages).toEqual([user('2'), called, result]);
    await store.append('cap', [user('3'), user('4')], 1);
    expect(await store.load('cap')).toEqual({ messages: [user('3'), user('4')], version: 2 });
    expect((await store.list()).find(({ sessionId }) => sessionId === 'cap')).toMatchObject({
      messageCount: 2,
    });
    await store.append('cap', numbered(5, 20), 2);
    expect((await store.load('cap')).messages).toEqual(numbered(18, 20));
  });

  it('takes what a run appends once, although the answer to its first try was lost', async () => {
    const store = new TypeOrmConversationStore(database);
    await store.append('lost answer', [user('a')], 0, 'first');
    expect(await store.append('lost answer', [user('a')], 0, 'first')).toBe(1);
    await expect(store.append('lost answer', [user('b')], 0, 'second')).rejects.toThrow(/version is 1/);
    expect((await store.load('lost answer')).messages).toEqual([user('a')]);
  });

  it('forgets a session whose time is over, and removes it when asked to', async () => {
    const store = new TypeOrmConversationStore(database, { ttlMs: 1_000 });
    const everything = new TypeOrmConversationStore(database);
    await store.append('old', [user('a')], 0);
    await store.append('older', [user('a')], 0);
    await age(2_000);
    expect(await store.load('old')).toEqual({ messages: [], version: 0 });
    expect((await store.list()).map(({ sessionId }) => sessionId)).not.toContain('old');
    expect(await everything.load('old')).toMatchObject({ version: 1 });
    expect(await store.append('old', [user('new')], 0)).toBe(1);
    expect((await store.load('old')).messages).toEqual([user('new')]);
    expect(await store.removeExpired()).toBeGreaterThanOrEqual(1);
    expect(await everything.load('older')).toEqual({ messages: [], version: 0 });
    expect(await store.load('old')).toMatchObject({ version: 1 });
    await new TypeOrmConversationStore(database).lock('left behind');
    await expireLeases();
    expect(await everything.removeExpired()).toBe(0);
    expect((await database.query('SELECT 1 FROM agent_lease')).rows).toEqual([]);
  });

  it('names the row that cannot be read', async () => {
    const store = new TypeOrmConversationStore(database);
    await store.append('broken', [user('a')], 0);
    await database.query(`UPDATE agent_message SET payload = '{' WHERE payload LIKE '%"a"%'`);
    await expect(store.load('broken')).rejects.toMatchObject({
      code: 'corrupt_row',
      message: expect.stringMatching(/Message 1 of session "broken"/),
    });
    await expect(store.load('broken')).rejects.toBeInstanceOf(AgentException);
  });

  it('lets the next in when the holder’s process has died and its lease ran out', async () => {
    const dead = new TypeOrmConversationStore(database);
    const alive = new TypeOrmConversationStore(database);
    await dead.lock('dead');
    await expect(alive.lock('dead', { whenBusy: 'refuse' })).rejects.toBeInstanceOf(SessionBusyException);
    const waiting = alive.lock('dead');
    await expireLeases();
    (await waiting)();
  });

  it('renews the lease while the session is held', async () => {
    const store = new TypeOrmConversationStore(database, { leaseMs: 90 });
    const release = await store.lock('held');
    const until = async (): Promise<number> => {
      const { rows } = await database.query('SELECT lease_until FROM agent_lease WHERE lease_key = ?', [
        hashKey('session:held'),
      ]);
      return Number(rows[0]?.['lease_until']);
    };
    const first = await until();
    await expect.poll(until, { timeout: 5_000 }).toBeGreaterThan(first);
    release();
  });

  it('tells when another has taken the lease, and does not give that one back', async () => {
    const store = new TypeOrmConversationStore(database, { leaseMs: 60 });
    const release = await store.lock('lost');
    await database.query(`UPDATE agent_lease SET owner = 'another', lease_until = lease_until + 60000`);
    await vi.waitUntil(
      () => logger.warn.mock.calls.some(([text]) => /another has taken it/.test(String(text))),
      {
        timeout: 5_000,
      },
    );
    release();
    const other = new TypeOrmConversationStore(database);
    await expect(other.lock('lost', { whenBusy: 'refuse' })).rejects.toBeInstanceOf(SessionBusyException);
  });

  it('gives a lease back although the database is closed right after', async () => {
    const own = await AgentDatabase.open(place);
    const release = await new TypeOrmConversationStore(own).lock('closing');
    release();
    await own.close();
    const again = new TypeOrmConversationStore(database).lock('closing', { whenBusy: 'refuse' });
    await expect(again).resolves.toBeTypeOf('function');
    (await again)();
  });
});
