import { Module } from '@nestjs/common';
import { AgentModule } from '@nestor/agent';
import { orders } from './orders.agent.example.js';
import { OrdersService } from './orders.service.example.js';

@Module({
  imports: [
    AgentModule.forRoot({
      agents: [orders],
      eventJournal: { enabled: true },
      database: { url: 'sqlite:data/agent.db' },
    }),
  ],
  providers: [OrdersService],
})
export class JournalModule {}
