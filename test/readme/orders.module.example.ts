import { Module } from '@nestjs/common';
import { AgentModule } from '@nestor/agent';
import { orders } from './orders.agent.example.js';
import { OrdersController } from './orders.controller.example.js';
import { OrdersService } from './orders.service.example.js';

@Module({
  imports: [AgentModule.forFeature({ agents: [orders] })],
  providers: [OrdersService],
  controllers: [OrdersController],
})
export class OrdersModule {}
