import { Injectable } from '@nestjs/common';
import { ActiveRuns, Operator } from '@nestor/agent';
import { AgentBuilder, AgentMemoryStrategy, ScriptedProvider } from '@nestor/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpAgents, type HttpAgents } from '../../../../test/support/http-agents.js';
import { deferred } from '../../../../test/support/scripted-agent.js';

@Injectable()
class Articles {
  @Operator({
    description: 'Search the articles',
    input: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    tags: ['kb'],
    effect: 'pure',
    timeout: 500,
  })
  search(): string {
    return 'none';
  }

  @Operator({ description: 'Delete all', approval: () => true })
  wipe(): void {}
}

const answer = deferred<{ text: string }>();
const asked = deferred();
const provider = new ScriptedProvider(() => {
  asked.resolve();
  return answer.promise;
});

describe('the catalog', () => {
  let served: HttpAgents;

  beforeAll(async () => {
    served = await startHttpAgents({
      agents: [
        AgentBuilder.create('support')
          .model('gpt-4o')
          .systemPrompt('Secret instructions.')
          .maxTurns(4)
          .memory(AgentMemoryStrategy.slidingWindow(20))
          .tool('find', { operator: 'search' })
          .streaming(true),
        AgentBuilder.create('all').model('default').tools('all'),
      ],
      provider,
      providers: [Articles],
    });
  });
  afterAll(() => served.close());

  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(served.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    return response.json();
  };

  it('GET /agents: what they are, not what they are told', async () => {
    expect(await get('/agents')).toEqual([
      {
        id: 'support',
        model: 'gpt-4o',
        maxTurns: 4,
        streaming: true,
        memory: 'sliding_window',
        tools: [{ name: 'find', operator: 'search' }],
      },
      { id: 'all', model: 'default', maxTurns: 10, streaming: false, memory: 'full', tools: 'all' },
    ]);
  });

  it('GET /operators: the tools first, and not the model’s own operators', async () => {
    const operators = (await get('/operators')) as { readonly name: string }[];
    expect(operators.map(({ name }) => name)).not.toContain('llmChat');
    expect(operators.map(({ name }) => name)).not.toContain('llmStreamingChat');
    expect(operators.slice(0, 2)).toMatchObject([
      {
        name: 'search',
        description: 'Search the articles',
        parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
        output: null,
        tags: ['kb'],
        effect: 'pure',
        approval: false,
        timeout: 500,
      },
      { name: 'wipe', approval: 'conditional', effect: 'at-most-once' },
    ]);
  });

  it('GET /health: the provider in use and the runs under way', async () => {
    const idle = { status: 'ok', provider: 'scripted (answers are not from a model)', runs: { active: 0 } };
    expect(await get('/health')).toEqual(idle);
    const running = served.post('/agents/support/runs', { input: 'Hi' });
    await asked.promise;
    expect(await get('/health')).toEqual({ ...idle, runs: { active: 1 } });
    answer.resolve({ text: 'Hello.' });
    await running;
    expect(await get('/health')).toEqual(idle);
  });
});

it('GET /health says that the application stops', async () => {
  const { app, url, close } = await startHttpAgents({ agents: [], provider });
  await app.get(ActiveRuns).close(0);
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'stopping' });
  await close();
});
