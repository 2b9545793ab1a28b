import { AppModule } from './app.module.example.js';
import { Test, type TestingModule } from '@nestjs/testing';
import { AgentLoopService, LLM_PROVIDER } from '@nestor/agent';
import { agentMatchers, ScriptedProvider } from '@nestor/agent/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

expect.extend(agentMatchers);

describe('the orders agent', () => {
  const model = new ScriptedProvider();
  let app: TestingModule;
  let agents: AgentLoopService;

  beforeAll(async () => {
    app = await Test.createTestingModule({ imports: [AppModule] })
      .overrideProvider(LLM_PROVIDER)
      .useValue(model)
      .compile();
    await app.init();
    agents = app.get(AgentLoopService);
  });
  beforeEach(() => model.reset());
  afterAll(() => app.close());

  it('looks the order up before it answers', async () => {
    model
      .whenAsked(/order/)
      .callTool('findOrder', { orderId: 'A-17' })
      .thenAnswer('It is shipped.')
      .otherwise()
      .thenAnswer('I only know orders.');

    const output = await agents.run('orders', 'Where is my order A-17?');

    expect(output).toHaveCalledTool('findOrder', { orderId: expect.stringMatching(/^A-/) });
    expect(output).toHaveToolResult('findOrder', { status: 'shipped' });
    expect(output).toHaveAnswered(/shipped/);
    expect(output).toHaveExited('stop');
    expect(model.toolNames()).toEqual(['findOrder']);
  });

  it('needs no tool for small talk, streamed', async () => {
    model.otherwise().thenAnswer('Hello, how can I help?');

    const output = await agents.stream('orders', 'Hi!').output();

    expect(output).not.toHaveCalledTool('findOrder');
    expect(model.lastRequest?.messages.at(-1)?.content).toBe('Hi!');
  });
});
