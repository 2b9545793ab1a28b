import { Body, Controller, Post, Req } from '@nestjs/common';
import { AgentLoopService } from '@nestor/agent';

@Controller('orders')
export class OrdersController {
  constructor(private readonly agents: AgentLoopService) {}

  @Post('questions')
  async ask(@Body() body: { question: string; session?: string }, @Req() request: object) {
    const output = await this.agents.run('orders', body.question, {
      sessionId: body.session,
      caller: request,
    });
    return { answer: output.content };
  }
}
