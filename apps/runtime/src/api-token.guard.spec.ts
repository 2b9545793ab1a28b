import { Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import type { ExecutionContext, INestApplication } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiTokenGuard } from './api-token.guard.js';

@Controller()
class Routes {
  @Get('health')
  health(): string {
    return 'up';
  }

  @Get('health/details')
  details(): string {
    return 'secret';
  }

  @Post('agents/any/runs')
  @HttpCode(200)
  run(): string {
    return 'ran';
  }
}

@Module({
  controllers: [Routes],
  providers: [{ provide: APP_GUARD, useValue: new ApiTokenGuard('correct-horse') }],
})
class GuardedModule {}

describe('ApiTokenGuard', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(GuardedModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });
  afterAll(() => app.close());

  const run = (authorization?: string) =>
    fetch(`${url}/agents/any/runs`, { method: 'POST', headers: authorization ? { authorization } : {} });

  it.each(['Bearer correct-horse', 'bearer correct-horse', 'Bearer  correct-horse'])(
    'lets "%s" in',
    async (authorization) => {
      const response = await run(authorization);
      expect([response.status, await response.text()]).toEqual([200, 'ran']);
    },
  );

  it.each([
    undefined,
    'Bearer',
    'Bearer wrong',
    'Bearer correct-horse-battery',
    'Bearer correct',
    'Basic correct-horse',
    'correct-horse',
    'Bearer correct-horse extra',
  ])('refuses "%s" and says which scheme to use', async (authorization) => {
    const response = await run(authorization);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="nestor"',
    ]);
    expect(await response.text()).not.toContain('ran');
  });

  it('leaves /health open, and nothing below or beside it', async () => {
    const statuses = ['/health', '/health?x=1', '/health/details', '/agents/any/runs'].map(async (path) => {
      const response = await fetch(url + path, { method: path.startsWith('/agents') ? 'POST' : 'GET' });
      return response.status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 200, 401, 401]);
  });

  it('does not ask a tool call for a token', () => {
    const toolCall = { getType: () => 'agent' } as ExecutionContext;
    expect(new ApiTokenGuard('correct-horse').canActivate(toolCall)).toBe(true);
  });
});
