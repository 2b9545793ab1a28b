import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentApprovalService, AgentLoopService, AgentModule, LLM_PROVIDER } from '@nestor/agent';
import { ScriptedProvider } from '@nestor/agent/testing';
import { AgentBuilder, type AgentOutput } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { triage } from './answer-format.example.js';
import { AppModule } from './app.module.example.js';
import {
  approveLess,
  askAndApprove,
  PayoutDesk,
  PayoutsModule,
  RefundDesk,
  RefundsModule,
} from './approvals.example.js';
import { ReportsModule } from './durable.example.js';
import { frontDesk } from './delegation.example.js';
import { CatalogService } from './dto.example.js';
import { AccountingModule, Tokens } from './events.example.js';
import { RefundsService } from './guards.example.js';
import { HealthModule } from './health.example.js';
import { AuditListener } from './listener.example.js';
import { AppModule as AsyncAppModule, OfficeService, ShopService } from './modules.example.js';
import { orders } from './orders.agent.example.js';
import { OrdersService } from './orders.service.example.js';
import { BasketService } from './request-scope.example.js';
import { OrdersStreamController, print } from './streaming.example.js';

describe('the README of the agents', () => {
  const model = new ScriptedProvider();
  let close = async (): Promise<void> => {};
  afterEach(async () => {
    await close();
    model.reset();
    vi.unstubAllEnvs();
  });

  async function start(metadata: ModuleMetadata) {
    const builder = Test.createTestingModule(metadata);
    const module = await builder.overrideProvider(LLM_PROVIDER).useValue(model).compile();
    const app = module.createNestApplication({ logger: false });
    close = () => app.close();
    await app.listen(0, '127.0.0.1');
    return app;
  }

  it('A person decides: an approved call is made, and the run goes on', async () => {
    model
      .whenAsked(/Refund/)
      .callTool('refundOrder', { orderId: 'A-17' })
      .thenAnswer('Refunded.');
    const app = await start({ imports: [RefundsModule] });
    await askAndApprove(app.get(AgentLoopService), app.get(AgentApprovalService));
    await vi.waitFor(() => expect(app.get(RefundDesk).refunded).toEqual(['A-17']));
  });

  it('A person decides: only whom the application lets, and not about what they asked for', async () => {
    model.whenAsked(/Pay/).callTool('payOut', { cents: 50_000 }).thenAnswer('Paid.');
    const app = await start({ imports: [PayoutsModule] });
    const ann = { user: { name: 'ann', roles: ['finance'] } };
    const { runId } = await app.get(AgentLoopService).run('payouts', 'Pay it out', { caller: ann });
    const approvals = app.get(AgentApprovalService);
    for (const user of [ann.user, { name: 'bob', roles: [] }]) {
      await expect(approveLess(approvals, runId, { user })).rejects.toMatchObject({
        code: 'approval_forbidden',
      });
    }
    await approveLess(approvals, runId, { user: { name: 'bob', roles: ['finance'] } });
    await vi.waitFor(() => expect(app.get(PayoutDesk).paid).toEqual([20_000]));
  });

  it('Runs that survive: a run is started, and followed to its answer', async () => {
    model.whenAsked(/year/).callTool('sales', { month: 'May' }).thenAnswer('12 in May.');
    const app = await start({ imports: [ReportsModule] });
    const url = `${await app.getUrl()}/reports`;
    const { runId } = (await (await fetch(url, { method: 'POST' })).json()) as { runId: string };
    expect(await (await fetch(`${url}/${runId}`)).text()).toBe('12 in May.');
  });

  const anAgentWith = (tool: string): DynamicModule =>
    AgentModule.forRoot({ agents: [AgentBuilder.create('clerk').model('default').tool(tool)] });

  /** The result of the only tool of an agent, called once for a caller. */
  async function toolResult(service: Type, tool: string, args: object, caller?: object): Promise<unknown> {
    const app = await start({ imports: [anAgentWith(tool)], providers: [service] });
    model.otherwise().callTool(tool, args).thenAnswer('Done.');
    const output = await app.get(AgentLoopService).run('clerk', 'Please.', { caller });
    return Object.values(output.toolResults)[0];
  }

  it('answers a question over HTTP', async () => {
    const app = await start({ imports: [AppModule] });
    model.whenAsked(/A-17/).callTool('findOrder', { orderId: 'A-17' }).thenAnswer('It is shipped.');
    const response = await fetch(`${await app.getUrl()}/orders/questions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"question":"Where is A-17?","session":"1"}',
    });
    expect(await response.json()).toEqual({ answer: 'It is shipped.' });
    expect(model.requests.at(-1)?.messages.at(-1)?.content).toBe('{"orderId":"A-17","status":"shipped"}');
  });

  it('stops the boot for a tool that nobody provides', async () => {
    const typo = AgentBuilder.create('typo').model('default').tool('findOrdr');
    const started = start({ imports: [AgentModule.forRoot({ agents: [typo] })], providers: [OrdersService] });
    await expect(started).rejects.toThrow('Did you mean "findOrder"?');
  });

  it('takes a DTO class for the schema', async () => {
    const search = (args: object) => toolResult(CatalogService, 'search', args);
    expect(await search({ text: 'tea', limit: 2 })).toEqual(['tea 1', 'tea 2']);
    await close();
    expect(await search({ text: 'tea', limit: 50 })).toMatchObject({ error: { code: 'invalid_arguments' } });
    expect(model.lastRequest?.tools?.[0]?.parameters).toMatchObject({
      properties: { text: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 20 } },
      required: ['text'],
    });
  });

  it.each([
    [{ user: { name: 'Ann', roles: ['support'] } }, { orderId: 'A-17', cents: 500, by: 'Ann' }],
    [{ user: { name: 'Bob', roles: [] } }, { error: { code: 'denied' } }],
    [undefined, { error: { code: 'denied' } }],
  ])('guards a tool by the caller: %j', async (caller, expected) => {
    const result = await toolResult(RefundsService, 'refund', { orderId: 'A-17', cents: 500 }, caller);
    expect(result).toMatchObject(expected);
  });

  it('hides denied tools if it is told to', async () => {
    const clerk = AgentBuilder.create('clerk').model('default').tool('refund');
    const root = AgentModule.forRoot({ agents: [clerk], hideDeniedTools: true });
    const app = await start({ imports: [root], providers: [RefundsService] });
    model.otherwise().thenAnswer('Done.');
    await app.get(AgentLoopService).run('clerk', 'Please.');
    expect(model.toolNames()).toEqual([]);
  });

  it('makes request-scoped providers for the caller', async () => {
    const caller = { user: { basket: ['tea'] } };
    expect(await toolResult(BasketService, 'showBasket', {}, caller)).toEqual(['tea']);
  });

  it('streams to @Sse and to a loop', async () => {
    const app = await start({ imports: [AppModule], controllers: [OrdersStreamController] });
    model.otherwise().thenAnswer('Hello.');
    const response = await fetch(`${await app.getUrl()}/orders/stream?question=Hi`);
    const text = await response.text();
    expect(text.match(/^event: .*$/gm)?.at(-1)).toBe('event: done');
    expect(text).toContain('event: token');

    const written: unknown[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(chunk) > 0);
    await print(app.get(AgentLoopService));
    vi.restoreAllMocks();
    expect(written.join('')).toBe('Hello.');
  });

  it('checks the form of an answer, and asks once more', async () => {
    const app = await start({ imports: [AgentModule.forRoot({ agents: [triage] })] });
    const agents = app.get(AgentLoopService);
    model.whenAsked(/does not fit/).thenAnswer('{"topic":"order","urgent":true}');
    model.whenAsked('Hurry').thenAnswer('an order');
    expect((await agents.run('triage', 'Hurry')).value).toEqual({ topic: 'order', urgent: true });
    model.reset();
    model.otherwise().thenAnswer('an order');
    await expect(agents.run('triage', 'Hurry')).rejects.toMatchObject({ name: 'InvalidResponseException' });
  });

  it('lets agents ask one another', async () => {
    const returns = AgentBuilder.create('returns').model('default');
    const root = AgentModule.forRoot({ agents: [frontDesk, orders, returns] });
    const app = await start({ imports: [root], providers: [OrdersService] });
    model.whenAsked('Find A-17').callTool('findOrder', { orderId: 'A-17' }).thenAnswer('A-17 is shipped.');
    model.whenAsked('How?').thenAnswer('By mail.');
    model
      .whenAsked('Where is A-17, and how do I return it?')
      .callTools(['orders', { input: 'Find A-17' }], ['askReturns', { input: 'How?' }])
      .thenAnswer('Shipped; by mail.');
    const question = 'Where is A-17, and how do I return it?';
    const { toolResults }: AgentOutput = await app.get(AgentLoopService).run('frontDesk', question);
    expect(Object.values(toolResults)).toEqual(['A-17 is shipped.', 'By mail.']);
  });

  it('takes settings from a factory, agents from features, and modules that come late', async () => {
    vi.stubEnv('MODEL_SERVER', 'http://127.0.0.1:9');
    const app = await start({ imports: [AsyncAppModule], providers: [OfficeService] });
    model.whenAsked(/tea/).thenAnswer('Green tea.');
    expect(await app.get(ShopService).advise('Which tea?')).toBe('Green tea.');
    expect(model.toolNames()).toEqual(['search']);
    model.whenAsked(/sales/).callTool('salesToday').thenAnswer('Three orders.');
    expect(await app.get(OfficeService).report()).toBe('Three orders.');
  });

  it('tells listeners and events', async () => {
    const app = await start({ imports: [AppModule, AccountingModule], providers: [AuditListener] });
    model.otherwise().callTool('findOrder', { orderId: 'A-17' }).thenAnswer('It is shipped.');
    await app.get(AgentLoopService).run('orders', 'Where?', { sessionId: 's' });
    expect(app.get(AuditListener).lines).toEqual([expect.stringMatching(/findOrder ok$/)]);
    expect([...app.get(Tokens).used.keys()]).toEqual(['s']);
  });

  it('tells its health', async () => {
    const app = await start({ imports: [AppModule, HealthModule] });
    const response = await fetch(`${await app.getUrl()}/healthz`);
    expect(await response.json()).toMatchObject({
      status: 'ok',
      details: { agents: { status: 'up', agents: 1, activeRuns: 0 } },
    });
  });
});
