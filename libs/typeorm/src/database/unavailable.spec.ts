import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeDatabases, type TestDatabase } from '../../../../test/support/agent-databases.js';
import { TcpProxy } from '../../../../test/support/tcp-proxy.js';
import { AgentDatabase } from './agent-database.js';
import { asUnavailable, isUnavailable, UnansweredError } from './unavailable.js';

const coded = (code: string, message = 'no'): Error => Object.assign(new Error(message), { code });

describe('the error of a database', () => {
  it.each([
    coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'),
    coded('57P01'),
    coded('PROTOCOL_CONNECTION_LOST'),
    new Error('Connection terminated unexpectedly'),
    new Error("Can't add new command when connection is in closed state"),
    new UnansweredError(10),
  ])('that is away says so, and not where it is: %s', (error) => {
    const shown = asUnavailable(error);
    expect(shown).toMatchObject({ code: 'database_unavailable', cause: error });
    expect(String(shown)).not.toContain('10.0.0.7');
    expect(isUnavailable(shown)).toBe(true);
  });

  it.each([coded('23505', 'duplicate key'), new Error('syntax error'), 'thrown'])(
    'that refuses stays as it is: %s',
    (error) => {
      expect(asUnavailable(error)).toBe(error);
      expect(isUnavailable(error)).toBe(false);
    },
  );
});

await describeDatabases(
  'A database that is away',
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let database: AgentDatabase;
    const warnings: string[] = [];

    beforeEach(async () => {
      warnings.length = 0;
      place = await server.create();
      const proxied = await TcpProxy.before(place.url);
      proxy = proxied.proxy;
      const logger = { log() {}, warn: (text: string) => warnings.push(text), error() {} };
      database = await AgentDatabase.open(
        { url: proxied.url, poolSize: 2 },
        { logger, statementLimitMs: 300 },
      );
    });
    afterEach(async () => {
      await database.close();
      await proxy.stop();
      await place.drop();
    });
    const unavailable = { code: 'database_unavailable' };

    it('is told of at once when it refuses connections', async () => {
      await database.query('SELECT 1');
      await proxy.stop();
      // The first may find the connection cut under it.
      for (let n = 0; n < 2; n++) await expect(database.query('SELECT 1')).rejects.toMatchObject(unavailable);
      await proxy.start();
      expect(await database.query('SELECT 1 AS n')).toMatchObject({ rows: [{ n: 1 }] });
    });

    it('is waited for no longer than the limit when it swallows statements, and none gets their connection', async () => {
      const away = Array.from({ length: 2 }, () =>
        database.transaction(async ({ query }) => {
          await query('SELECT 1');
          proxy.silence(true);
          await query('SELECT 2');
        }),
      );
      for (const outcome of await Promise.allSettled([...away, database.query('SELECT 1')])) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable });
      }
      proxy.silence(false);
      const answers = Array.from({ length: 4 }, (_, n) => database.query('SELECT ? AS n', [`answer ${n}`]));
      expect((await Promise.all(answers)).map(({ rows }) => rows[0])).toEqual(
        Array.from({ length: 4 }, (_, n) => ({ n: `answer ${n}` })),
      );
    });

    it('is left in time when the process ends', async () => {
      await database.query('SELECT 1');
      proxy.silence(true);
      const outcome = database.query('SELECT 1').catch((error: unknown) => error);
      const startedAt = performance.now();
      await database.close();
      expect(performance.now() - startedAt).toBeLessThan(4_000);
      expect(await outcome).toMatchObject(unavailable);
    });
  },
  ({ shared }) => shared,
);
