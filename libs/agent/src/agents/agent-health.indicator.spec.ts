import { Controller, Get, type DynamicModule, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { afterEach, describe, expect, it } from 'vitest';
import { deferred } from '../../../../test/support/scripted-agent.js';
import { AgentModule } from '../agent.module.js';
import { ActiveRuns } from './active-runs.js';
import { AgentHealthIndicator } from './agent-health.indicator.js';
import { AgentLoopService } from './agent-loop.service.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const app of closing.splice(0)) await app.close();
});

const support = AgentBuilder.create('support').model('default');

async function boot(...imports: (DynamicModule | (new () => object))[]): Promise<INestApplication> {
  const app = (await Test.createTestingModule({ imports }).compile()).createNestApplication();
  app.useLogger(false);
  closing.push(app);
  return app.init();
}

const ask = async (app: INestApplication): Promise<string> =>
  (await app.get(AgentLoopService).run('support', 'Hello')).content;

describe('AgentHealthIndicator', () => {
  it('is up with its figures, and down while the application shuts down; with terminus', async () => {
    @Controller()
    class HealthController {
      constructor(
        private readonly health: HealthCheckService,
        private readonly agents: AgentHealthIndicator,
      ) {}

      @Get('health')
      check(): Promise<unknown> {
        return this.health.check([() => this.agents.isHealthy('agents')]);
      }
    }
    const answer = deferred<{ text: string }>();
    const asked = deferred();
    const provider = new ScriptedProvider(() => {
      asked.resolve();
      return answer.promise;
    });
    const app = await boot(AgentModule.forRoot({ agents: [support], llm: { provider } }), {
      module: class Health {},
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController],
    });
    await app.listen(0, '127.0.0.1');
    const check = async (): Promise<{ status: number; body: unknown }> => {
      const response = await fetch(`${await app.getUrl()}/health`);
      return { status: response.status, body: await response.json() };
    };
    const figures = { provider: provider.description, agents: 1 };
    const running = ask(app);
    await asked.promise;

    expect(await check()).toMatchObject({
      status: 200,
      body: { status: 'ok', info: { agents: { status: 'up', ...figures, activeRuns: 1 } } },
    });
    const closed = app.get(ActiveRuns).close(60_000);
    expect(await check()).toMatchObject({
      status: 503,
      body: { status: 'error', error: { agents: { status: 'down', ...figures, activeRuns: 1 } } },
    });
    answer.resolve({ text: 'bye' });
    expect(await running).toBe('bye');
    await closed;
  });
});
