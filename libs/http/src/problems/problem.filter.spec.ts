import { Controller, Get, Module, Post, Res } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { ArgumentsHost, ExceptionFilter, INestApplication } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { AgentException } from '@nestor/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemFilter } from './problem.filter.js';

@Controller()
class Routes {
  @Post('echo')
  echo(): string {
    return 'echo';
  }

  @Get('bug')
  bug(): string {
    throw new TypeError('secret');
  }

  @Get('away')
  away(): string {
    throw new AgentException('No connection.', { code: 'database_unavailable', cause: new Error('db-7') });
  }

  @Get('halfway')
  halfway(@Res() response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/plain' }).write('Once upon');
    throw new Error('The end is missing.');
  }
}

@Module({ controllers: [Routes] })
class AnyModule {}

describe('ProblemFilter for a whole application', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(AnyModule, { logger: false });
    app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const post = (body: string): RequestInit => ({
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });

  it.each([
    ['a body that is no JSON', '/echo', post('{"input":'), 400, 'bad_request', /JSON/],
    ['a body above the limit', '/echo', post(`"${'x'.repeat(200_000)}"`), 413, 'content_too_large', /larger/],
    ['a route that does not exist', '/nowhere', {}, 404, 'not_found', /^Cannot GET \/nowhere$/],
    ['a bug', '/bug', {}, 500, 'internal', /^The server failed; its log says why\.$/],
  ])('answers %s with a problem', async (_, path, init, status, code, detail) => {
    const response = await fetch(url + path, init);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: expect.stringMatching(/^[A-Z]/),
      status,
      code,
      detail: expect.stringMatching(detail),
    });
  });

  it('says when to come again where something is away', async () => {
    const response = await fetch(`${url}/away`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ code: 'database_unavailable', retryAfter: 5 });
  });

  it('ends an answer that had begun', async () => {
    const response = await fetch(`${url}/halfway`);
    expect([response.status, await response.text()]).toEqual([200, 'Once upon']);
  });

  it('lets through what a tool throws', () => {
    const error = new Error('Tool trouble.');
    const host = { getType: () => 'agent' } as ArgumentsHost;
    const catchIt: ExceptionFilter['catch'] = new ProblemFilter(app.get(HttpAdapterHost)).catch;
    expect(() => catchIt(error, host) as unknown).toThrow(error);
  });
});
