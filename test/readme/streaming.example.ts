import { Controller, Query, Req, Sse } from '@nestjs/common';
import { AgentLoopService } from '@nestor/agent';

@Controller('orders')
export class OrdersStreamController {
  constructor(private readonly agents: AgentLoopService) {}

  @Sse('stream')
  stream(@Query('question') question: string, @Req() request: object) {
    return this.agents.stream('orders', question, { caller: request }).toObservable();
  }
}

export async function print(agents: AgentLoopService): Promise<void> {
  const stream = agents.stream('orders', 'Where is A-17?');
  for await (const chunk of stream) {
    if (chunk.type === 'token') process.stdout.write(chunk.text);
  }
}
