import { Module } from '@nestjs/common';
import { AgentModule } from '@nestor/agent';
import { OrdersModule } from './orders.module.example.js';

@Module({ imports: [AgentModule.forRoot(), OrdersModule] })
export class AppModule {}
