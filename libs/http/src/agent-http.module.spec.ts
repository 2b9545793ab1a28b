import { AgentBuilder, type LlmProvider } from '@nestor/core';
import { describe, expect, it } from 'vitest';
import { serverEvents, startHttpAgents, type HttpAgents } from '../../../test/support/http-agents.js';
import { deferred } from '../../../test/support/scripted-agent.js';
import { haltingModel, stuckModel } from '../../../test/support/streaming-model.js';

const serve = (provider: LlmProvider, shutdownGraceMs: number): Promise<HttpAgents> =>
  startHttpAgents({
    agents: [AgentBuilder.create('desk').model('m')],
    provider,
    options: { shutdownGraceMs },
  });

describe('when the application stops', () => {
  it('an open stream ends at once with an error event, after the time of grace', async () => {
    const model = stuckModel();
    const { stream, app } = await serve(model.provider, 1);
    const events = serverEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    await events.next();
    const startedAt = performance.now();
    const closed = app.close();
    expect((await events.next()).value).toMatchObject({
      id: '2',
      event: 'error',
      data: { status: 503, code: 'aborted', detail: expect.stringContaining('shutting down') },
    });
    expect(await events.next()).toMatchObject({ done: true });
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await model.ended;
  });

  it('a stream that ends within the time of grace ends with done', async () => {
    const mayEnd = deferred();
    const { stream, app } = await serve(haltingModel(mayEnd.promise).provider, 60_000);
    const events = serverEvents(await stream('/agents/desk/runs', { input: 'Hi' }));
    await events.next();
    const closed = app.close();
    mayEnd.resolve();
    expect((await events.next()).value).toMatchObject({ event: 'done' });
    await closed;
  });
});
