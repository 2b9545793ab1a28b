import { Injectable } from '@nestjs/common';
import { AgentLoopService, Operator } from '@nestor/agent';
import { ScriptedProvider } from '@nestor/agent/testing';
import { AgentBuilder, AgentMemoryStrategy } from '@nestor/core';
import { z } from 'zod';

@Injectable()
export class Database {
  findOrder(orderId: string) {
    return { orderId, status: 'shipped' };
  }
}

@Injectable()
export class OrderTools {
  constructor(private readonly database: Database) {}

  @Operator({ description: 'Find an order by its number', input: z.object({ orderId: z.string() }) })
  findOrder({ orderId }: { orderId: string }) {
    return this.database.findOrder(orderId);
  }
}

export const orders = AgentBuilder.create('orders')
  .model('default')
  .systemPrompt('You answer questions about orders.')
  .memory(AgentMemoryStrategy.slidingWindow(20))
  .tool('findOrder')
  .maxTurns(5)
  .build();

const ticket = z.object({ urgent: z.boolean() });

const sorting = AgentBuilder.create('sorting').model('default').responseFormat(ticket);
export const allAgents = [orders, sorting];

@Injectable()
export class Assistant {
  constructor(private readonly agents: AgentLoopService) {}

  async answer(question: string, session: string, request: object): Promise<string> {
    const { content } = await this.agents.run('orders', question, { sessionId: session, caller: request });
    return content;
  }

  async stream(messages: object[], response: { write(text: string): void }): Promise<void> {
    for await (const chunk of this.agents.stream('orders', messages)) {
      if (chunk.type === 'token') response.write(chunk.text);
    }
  }

  async sort(messages: object[]): Promise<unknown> {
    const { value } = await this.agents.run('sorting', messages);
    return value;
  }
}

export function scripted(): ScriptedProvider {
  const model = new ScriptedProvider([
    { toolCalls: [{ name: 'findOrder', arguments: { orderId: 'A-17' } }] },
    { text: 'It is shipped.' },
  ]);
  return model;
}
