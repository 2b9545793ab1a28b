import { Controller, Get, Injectable, Module, Param, Post } from '@nestjs/common';
import { AgentLoopService, AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { z } from 'zod';

@Injectable()
export class Reports {
  @Operator({ description: 'Sums a month', input: z.object({ month: z.string() }), effect: 'pure' })
  sales({ month }: { month: string }) {
    return { month, total: 12 };
  }
}

@Controller('reports')
export class ReportsController {
  constructor(private readonly agents: AgentLoopService) {}

  @Post()
  async begin(): Promise<{ runId: string }> {
    return { runId: await this.agents.start('reports', 'Sum up the year') };
  }

  @Get(':runId')
  async result(@Param('runId') runId: string): Promise<string | undefined> {
    for await (const { chunk } of this.agents.attach(runId)) {
      if (chunk.type === 'done') return chunk.finalOutput.content;
    }
    return undefined;
  }
}

const reports = AgentBuilder.create('reports').model('default').tool('sales');

@Module({
  imports: [
    AgentModule.forRoot({ agents: [reports], durability: 'run', database: { url: 'sqlite::memory:' } }),
  ],
  controllers: [ReportsController],
  providers: [Reports],
})
export class ReportsModule {}
