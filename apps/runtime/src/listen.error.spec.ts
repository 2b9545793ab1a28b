import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { listenError } from './listen.error.js';

async function failureOf(host: string, port: number): Promise<unknown> {
  const server = createServer();
  server.listen(port, host);
  return once(server, 'listening').then(
    () => server.close(),
    (error: unknown) => error,
  );
}

it('says which port is in use and how to choose another', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  try {
    const error = listenError(await failureOf('127.0.0.1', port), '127.0.0.1', port) as Error;
    expect(error.message).toMatch(new RegExp(`^Port ${port} on 127.0.0.1 is in use .* set PORT `));
    expect(error.cause).toMatchObject({ code: 'EADDRINUSE' });
  } finally {
    taken.close();
  }
});

it('says that HOST is no address of this machine', async () => {
  const error = listenError(await failureOf('192.0.2.1', 0), '192.0.2.1', 0) as Error;
  expect(error.message).toMatch(/^HOST "192.0.2.1" .* set HOST /);
});

it('leaves other errors as they are', () => {
  const error = new Error('something else');
  expect(listenError(error, '127.0.0.1', 3000)).toBe(error);
});
