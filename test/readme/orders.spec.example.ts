import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AgentLoopService, LLM_PROVIDER } from '@nestor/agent';
import { ScriptedProvider } from '@nestor/agent/testing';
import { AppModule } from './app.module.example.js';

describe('the orders agent', () => {
  const model = new ScriptedProvider();
  let app: INestApplicationContext;

  beforeEach(async () => {
    const builder = Test.createTestingModule({ imports: [AppModule] });
    const module = await builder.overrideProvider(LLM_PROVIDER).useValue(model).compile();
    app = await module.init();
  });
  afterEach(() => app.close());

  it('looks the order up before it answers', async () => {
    model.whenAsked(/order/).callTool('findOrder', { orderId: 'A-17' }).thenAnswer('It is shipped.');

    const output = await app.get(AgentLoopService).run('orders', 'Where is my order A-17?');

    expect(output.content).toBe('It is shipped.');
    expect(Object.values(output.toolResults)).toEqual([{ orderId: 'A-17', status: 'shipped' }]);
  });
});
