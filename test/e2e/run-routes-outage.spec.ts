import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseRuntimeEnvironment } from '../../apps/runtime/src/runtime-environment.js';
import { startRuntime, type Runtime } from '../../apps/runtime/src/runtime.js';
import { describeDatabases, type TestDatabase } from '../support/agent-databases.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const APPROVE = '{"decision":"approve"}';
const ROUTES: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['POST', '/agents/customerSupport/runs', '{"input":"Hello"}'],
  ['POST', '/agents/customerSupport/runs', '{"input":"Hello","sessionId":"s"}'],
  ['GET', '/runs'],
  ['GET', '/runs/r'],
  ['GET', '/runs/r/events'],
  ['GET', '/runs/r/stream'],
  ['POST', '/runs/r/cancel', '{}'],
  ['POST', '/runs/r/resume', '{}'],
  ['POST', '/runs/r/approvals/c', APPROVE],
  ['GET', '/sessions'],
  ['GET', '/sessions/s'],
  ['DELETE', '/sessions/s'],
];

await describeDatabases(
  'The routes of a runtime whose database is away',
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let runtime: Runtime;
    const logger = { log() {}, warn: vi.fn(), error: vi.fn() };

    beforeEach(async () => {
      logger.warn.mockClear();
      logger.error.mockClear();
      place = await server.create();
      const proxied = await TcpProxy.before(place.url);
      proxy = proxied.proxy;
      runtime = await startRuntime(parseRuntimeEnvironment({ PORT: '0', DATABASE_URL: proxied.url }), logger);
    });
    afterEach(async () => {
      await runtime.app.close();
      await proxy.stop();
      await place.drop();
    });

    async function ask([method, path, body]: (typeof ROUTES)[number]): Promise<unknown> {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(runtime.url + path, {
        method,
        ...(body !== undefined && { body, headers }),
      });
      const { code } = (await response.json()) as { code: string };
      return [method, path, response.status, code, response.headers.get('retry-after')];
    }

    it('answer 503, say when to come again, and log a line each', async () => {
      await proxy.stop();
      const answers = await Promise.all(ROUTES.map(ask));
      expect(answers).toEqual(
        ROUTES.map(([method, path]) => [method, path, 503, 'database_unavailable', '5']),
      );
      expect(logger.error).not.toHaveBeenCalled();
      expect(JSON.stringify(logger.warn.mock.calls)).not.toMatch(/\\n +at |postgres:\/\/|mysql:\/\//);
      await proxy.start();
    });
  },
  ({ shared }) => shared,
);
