import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentBuilder, ScriptedProvider } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { AgentModule } from './agent.module.js';
import { AgentLoopService } from './agents/agent-loop.service.js';

const agent = AgentBuilder.create('a').model('m');
const model = (): ScriptedProvider => new ScriptedProvider(() => ({ text: 'hi' }));
const boot = async (
  imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>,
): Promise<unknown> => (await Test.createTestingModule({ imports }).compile()).init();

describe('options of AgentModule', () => {
  it.each([
    [{ lmm: {} }, /no option "lmm"\. Did you mean "llm"\?/],
    [{ llm: { apikey: 'k' } }, /no option "llm\.apikey"\. Did you mean "apiKey"\?/],
    [{ llm: 'gpt' }, /llm must be an object/],
    [{ agents: [agent] }, /agents came from the factory/],
    [{ approvals: true }, /approvals must be an object/],
    [
      { approvals: { authorise: () => false } },
      /no option "approvals\.authorise"\. Did you mean "authorize"\?/,
    ],
    [{ approvals: { authorize: 'admin' } }, /approvals\.authorize must be a function/],
    [undefined, /the options are undefined.*forRootAsync/],
    [null, /the options are null/],
  ])('%j is refused at boot', async (options, message) => {
    const module = AgentModule.forRootAsync({ useFactory: () => options as never });
    await expect(boot([module])).rejects.toThrow(message);
  });
});

describe('what is done in the wrong order', () => {
  it('a run before the application has started is told so', async () => {
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ agents: [agent], llm: { provider: model() } })],
    }).compile();
    await expect(module.get(AgentLoopService).run('a', 'hi')).rejects.toThrow(/Call app\.init\(\)/);
    const app = await module.init();
    await expect(module.get(AgentLoopService).run('b', 'hi')).rejects.toThrow(/no agent "b"/);
    await app.close();
  });

  it('a feature without a root says what is missing', async () => {
    @Module({ imports: [AgentModule.forFeature({ agents: [agent] })] })
    class Feature {}
    await expect(boot([Feature])).rejects.toThrow(/forFeature needs AgentModule\.forRoot/);
  });
});

describe('options of a run', () => {
  it.each([
    [{ sessionID: 's' }, /no run option "sessionID"\. Did you mean "sessionId"\?/],
    [{ sessionId: 5 }, /sessionId is 5/],
    [{ sessionId: '' }, /sessionId is ""/],
    [{ whenBusy: 'nope' }, /whenBusy is "nope"; it must be "wait" or "refuse"/],
    [{ context: 'x' }, /context is "x"/],
    [{ maxTurns: 0 }, /maxTurns is 0/],
  ])('%j is refused', async (options, message) => {
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ agents: [agent], llm: { provider: model() } })],
    }).compile();
    const app = await module.init();
    await expect(app.get(AgentLoopService).run('a', 'hi', options as never)).rejects.toThrow(message);
    await app.close();
  });

  it('whenBusy of the module is that of every run', async () => {
    const module = await Test.createTestingModule({
      imports: [AgentModule.forRoot({ agents: [agent], llm: { provider: model() }, whenBusy: 'refuse' })],
    }).compile();
    const app = await module.init();
    const agents = app.get(AgentLoopService);
    const both = await Promise.allSettled(
      ['A', 'B'].map((input) => agents.run('a', input, { sessionId: 's' })),
    );
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'session_busy' } });
    await app.close();
  });
});
