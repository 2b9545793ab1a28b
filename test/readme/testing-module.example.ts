import { Test, type TestingModule } from '@nestjs/testing';
import { orders } from './orders.agent.example.js';
import { OrdersService } from './orders.service.example.js';
import { AgentTestingModule, ScriptedProvider } from '@nestor/agent/testing';

export async function ordersAlone(provider: ScriptedProvider): Promise<TestingModule> {
  const module = await Test.createTestingModule({
    imports: [AgentTestingModule.forRoot({ agents: [orders], provider })],
    providers: [OrdersService],
  }).compile();
  return module.init();
}

export function moreRules(): ScriptedProvider {
  const model = new ScriptedProvider()
    .whenAsked('Compare A-17 and B-2')
    .callTools(['findOrder', { orderId: 'A-17' }], ['findOrder', { orderId: 'B-2' }])
    .thenAnswer(({ messages }) => `They are: ${messages.at(-2)?.content}, ${messages.at(-1)?.content}`)
    .whenAsked((question, request) => question.length > 100 && request.model === 'scripted')
    .thenFail();
  return model;
}
