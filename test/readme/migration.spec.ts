import { Test, type TestingModule } from '@nestjs/testing';
import { AgentTestingModule, ScriptedProvider } from '@nestor/agent/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { allAgents, Assistant, Database, OrderTools, scripted } from './migration.example.js';

describe('what MIGRATION.md shows', () => {
  let module: TestingModule;
  afterEach(() => module.close());

  async function assistantWith(provider: ScriptedProvider): Promise<Assistant> {
    module = await Test.createTestingModule({
      imports: [AgentTestingModule.forRoot({ agents: allAgents, provider })],
      providers: [Assistant, Database, OrderTools],
    }).compile();
    await module.init();
    return module.get(Assistant);
  }

  it('a tool, an agent and a run in a session', async () => {
    const model = scripted();
    const assistant = await assistantWith(model);
    expect(await assistant.answer('Where is A-17?', 's', {})).toBe('It is shipped.');
    expect(model.lastRequest?.messages.at(-1)?.content).toBe('{"orderId":"A-17","status":"shipped"}');
  });

  it('a stream from messages', async () => {
    const assistant = await assistantWith(new ScriptedProvider([{ tokens: ['Good ', 'morning'] }]));
    const written: string[] = [];
    await assistant.stream([{ role: 'user', content: 'Hello' }], { write: (text) => written.push(text) });
    expect(written).toEqual(['Good ', 'morning']);
  });

  it('an answer of a given form', async () => {
    const assistant = await assistantWith(new ScriptedProvider([{ text: '{"urgent":true}' }]));
    expect(await assistant.sort([{ role: 'user', content: 'Help!' }])).toEqual({ urgent: true });
  });
});
