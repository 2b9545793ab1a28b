import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { LoopbackServer, sendJson, type LoopbackHandler } from '../../../../test/support/loopback-server.js';
import { askForOperators } from './running.application.js';

const operators = [{ name: 'search', description: '', kind: 'tool', parameters: null, tags: ['a'] }];

describe('askForOperators', () => {
  let server: LoopbackServer | undefined;
  const start = async (handler: LoopbackHandler): Promise<LoopbackServer> =>
    (server = await LoopbackServer.start(handler));
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it.each(['', '/', '/api', '/api//'])('asks below the path "%s", with the token', async (path) => {
    const { url, requests } = await start((response) => sendJson(response, operators));
    expect(await askForOperators(url + path, 'secret')).toEqual(operators);
    expect(requests[0]!.url).toBe(`${path.replace(/\/+$/, '')}/operators`);
    expect(requests[0]!.headers.authorization).toBe('Bearer secret');
  });

  it('sends no header without a token', async () => {
    const { url, requests } = await start((response) => sendJson(response, operators));
    await askForOperators(url, undefined);
    expect(requests[0]!.headers.authorization).toBeUndefined();
  });

  it.each([
    [401, /answers 401\. Set NESTOR_API_TOKEN/],
    [404, /answers 404\. Its root module must import AgentHttpModule/],
    [500, /answers 500\. Look at the log/],
  ])('says what %i means', async (status, message) => {
    const { url } = await start((response) => sendJson(response, {}, status));
    await expect(askForOperators(url, 'secret')).rejects.toThrow(message);
  });

  it('does not carry the token to another address', async () => {
    const { url, requests } = await start((response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    await expect(askForOperators(url, 'secret')).rejects.toThrow(/answers 302/);
    expect(requests).toHaveLength(1);
  });

  it('refuses an answer that is no list of operators', async () => {
    const { url } = await start((response) => response.end('<html>'));
    await expect(askForOperators(url, undefined)).rejects.toThrow(
      /^The answer of http.*\/operators is no JSON/,
    );
  });

  it('says that nobody is there', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    taken.close();
    await once(taken, 'close');
    await expect(askForOperators(`http://127.0.0.1:${port}`, undefined)).rejects.toThrow(
      /^Cannot reach http:\/\/127\.0\.0\.1:\d+\/operators: .*ECONNREFUSED.*\. Is the application running\?$/,
    );
  });

  it.each(['localhost:3000', 'file:///etc/passwd', 'http://ann:hidden@localhost', '', 'x'])(
    'refuses the address "%s" without quoting it',
    async (url) => {
      const failure = await askForOperators(url, undefined).catch(String);
      expect(failure).toMatch(/^CliError: --url must be an http or https URL without a user/);
      expect(failure).not.toContain('hidden');
    },
  );

  it('refuses a token that no header can carry, without quoting it', async () => {
    const failure = await askForOperators('http://127.0.0.1:1', 'hid\nden').catch(String);
    expect(failure).toMatch(/NESTOR_API_TOKEN holds/);
    expect(failure).not.toContain('hid');
  });
});
