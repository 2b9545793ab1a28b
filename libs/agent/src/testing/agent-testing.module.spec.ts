import { Injectable, Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentBuilder, InMemoryConversationStore, OpenAiProvider } from '@nestor/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AgentModule } from '../agent.module.js';
import { Agent } from '../agents/agent.js';
import { AgentLoopService } from '../agents/agent-loop.service.js';
import { InjectAgent } from '../agents/inject-agent.decorator.js';
import { LLM_PROVIDER } from '../llm/llm-provider.factory.js';
import { Operator } from '../operators/operator.decorator.js';
import { AgentTestingModule, type AgentTestingOptions } from './agent-testing.module.js';
import { ScriptedProvider } from './scripted.provider.js';

@Injectable()
class Orders {
  @Operator({ description: 'Find an order' })
  findOrder(): unknown {
    return { status: 'shipped' };
  }
}

@Injectable()
class Desk {
  constructor(@InjectAgent('desk') readonly agent: Agent) {}
}

const desk = AgentBuilder.create('desk').model('default').tool('findOrder');
const shipped = (): ScriptedProvider =>
  new ScriptedProvider().whenAsked(/order/).callTool('findOrder').thenAnswer('It is shipped.');

describe('AgentTestingModule', () => {
  let app: INestApplicationContext | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
    vi.unstubAllEnvs();
  });

  async function start(options?: AgentTestingOptions, ...imports: Type[]): Promise<AgentLoopService> {
    const module = await Test.createTestingModule({
      imports: [AgentTestingModule.forRoot(options), ...imports],
      providers: [Orders, ...(options?.agents ? [Desk] : [])],
    }).compile();
    app = await module.init();
    return app.get(AgentLoopService);
  }

  it('runs agents, tools and injection as the application does', async () => {
    const provider = shipped();
    await start({ agents: [desk], provider });
    const output = await app!.get(Desk).agent.run('Where is my order?');
    expect(output.content).toBe('It is shipped.');
    expect(Object.values(output.toolResults)).toEqual([{ status: 'shipped' }]);
    expect(provider.toolNames()).toEqual(['findOrder']);
    expect(app!.get(LLM_PROVIDER)).toBe(provider);
  });

  it('streams', async () => {
    const agents = await start({ agents: [desk], provider: shipped() });
    const output = await agents.stream('desk', 'Where is my order?').output();
    expect(output.content).toBe('It is shipped.');
  });

  it('heeds neither the environment nor the model access of the options', async () => {
    vi.stubEnv('LLM_MODEL', 'from-the-environment');
    vi.stubEnv('OPENAI_BASE_URL', 'no url at all');
    const provider = shipped();
    const own = new OpenAiProvider({ baseUrl: 'http://127.0.0.1:9/v1' });
    const llm = { baseUrl: 'neither a url', provider: own };
    const agents = await start({ agents: [desk], provider, llm });
    await agents.run('desk', 'My order?');
    expect(provider.lastRequest?.model).toBe('scripted');
  });

  it('keeps the model and the other options that are given', async () => {
    const provider = new ScriptedProvider().otherwise().thenAnswer('Hello.');
    const conversationStore = new InMemoryConversationStore();
    const agents = await start({ agents: [desk], provider, llm: { model: 'small' }, conversationStore });
    await agents.run('desk', 'Hi', { sessionId: 's' });
    expect(provider.lastRequest?.model).toBe('small');
    expect((await conversationStore.load('s'))?.messages).toHaveLength(2);
  });

  it('has by default a model without rules, which refuses', async () => {
    const agents = await start({ agents: [desk] });
    await expect(agents.run('desk', 'Hi')).rejects.toMatchObject({ code: 'script_unmatched' });
  });

  it('starts without options, beside feature modules', async () => {
    const greeter = AgentBuilder.create('greeter').model('default');
    @Module({ imports: [AgentModule.forFeature({ agents: [greeter] })] })
    class GreeterModule {}
    const agents = await start(undefined, GreeterModule);
    app!.get<ScriptedProvider>(LLM_PROVIDER).otherwise().thenAnswer('Hello.');
    expect((await agents.run('greeter', 'Hi')).content).toBe('Hello.');
  });
});
