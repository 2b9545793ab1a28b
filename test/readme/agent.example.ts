import { Body, Controller, Injectable, Module, Post, Req } from '@nestjs/common';
import { AgentListener, AgentLoopService, AgentModule, Operator } from '@nestor/agent';
import {
  AgentBuilder,
  type AgentCallbackContext,
  type AgentExecutionListener,
  type OperatorContext,
  type ToolCompletedPayload,
} from '@nestor/core';
import { z } from 'zod';

@Injectable()
export class OrdersService {
  @Operator({
    description: 'Find an order by its number',
    input: z.object({ orderId: z.string().describe('Order number, e.g. A-17') }),
  })
  findOrder({ orderId }: { orderId: string }, context: OperatorContext) {
    return { orderId, status: 'shipped', askedBy: context.caller };
  }
}

@AgentListener()
export class AuditListener implements Partial<AgentExecutionListener> {
  readonly lines: string[] = [];

  onAgentToolCompleted({ toolName, success }: ToolCompletedPayload, { executionId }: AgentCallbackContext) {
    this.lines.push(`${executionId} ${toolName} ${success ? 'ok' : 'failed'}`);
  }
}

@Controller('orders')
export class OrdersController {
  constructor(private readonly agents: AgentLoopService) {}

  @Post('questions')
  async ask(@Body() body: { question: string; session?: string }, @Req() request: { user?: unknown }) {
    const output = await this.agents.run('orders', body.question, {
      sessionId: body.session,
      caller: request,
    });
    return { answer: output.content };
  }
}

export const orders = AgentBuilder.create('orders')
  .model('default')
  .systemPrompt('You answer questions about orders.')
  .tool('findOrder')
  .build();

@Module({
  imports: [AgentModule.forRoot({ agents: [orders] })],
  providers: [OrdersService, AuditListener],
  controllers: [OrdersController],
})
export class OrdersModule {}
