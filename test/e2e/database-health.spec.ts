import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseRuntimeEnvironment } from '../../apps/runtime/src/runtime-environment.js';
import { startRuntime, type Runtime } from '../../apps/runtime/src/runtime.js';
import { describeDatabases, type TestDatabase } from '../support/agent-databases.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const SILENT = { log() {}, warn() {}, error() {} };
const LIMIT = { timeout: 20_000, interval: 50 };

await describeDatabases(
  'The health of a runtime whose database goes away',
  (server) => {
    let place: TestDatabase;
    let proxy: TcpProxy;
    let runtime: Runtime;

    beforeEach(async () => {
      place = await server.create();
      const proxied = await TcpProxy.before(place.url);
      proxy = proxied.proxy;
      runtime = await startRuntime(parseRuntimeEnvironment({ PORT: '0', DATABASE_URL: proxied.url }), SILENT);
    });
    afterEach(async () => {
      await runtime.app.close();
      await proxy.stop();
      await place.drop();
    });

    async function database(): Promise<string> {
      const response = await fetch(`${runtime.url}/health`, { signal: AbortSignal.timeout(5_000) });
      expect(response.status).toBe(200);
      return ((await response.json()) as { database: { status: string } }).database.status;
    }

    it.each([
      ['hangs', () => proxy.silence(true), () => proxy.silence(false)],
      ['ends', () => proxy.stop(), () => proxy.start()],
    ])('stays 200 while the server %s, says so, and sees it come back', async (_, leave, comeBack) => {
      expect(await database()).toBe('ok');
      await leave();
      await vi.waitFor(async () => expect(await database()).toBe('down'), LIMIT);
      await comeBack();
      await vi.waitFor(async () => expect(await database()).toBe('ok'), LIMIT);
    });
  },
  ({ shared }) => shared,
);
