import { Injectable, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { LazyModuleLoader } from '@nestjs/core';
import { AgentLoopService, AgentModule, InjectAgent, Operator, type Agent } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { CatalogService } from './dto.example.js';
import { orders } from './orders.agent.example.js';
import { OrdersService } from './orders.service.example.js';

const shop = AgentBuilder.create('shop').model('default').tools('all');

@Injectable()
export class ShopService {
  constructor(@InjectAgent('shop') private readonly agent: Agent) {}

  async advise(question: string): Promise<string> {
    const { content } = await this.agent.run(question);
    return content;
  }
}

@Module({
  imports: [AgentModule.forFeature({ agents: [shop], operators: [CatalogService], imports: [ConfigModule] })],
  providers: [ShopService],
})
export class ShopModule {}

@Module({
  imports: [
    AgentModule.forRootAsync({
      agents: [orders],
      imports: [ConfigModule.forRoot()],
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        llm: { baseUrl: config.getOrThrow('MODEL_SERVER'), model: 'qwen3', fallbackModels: ['llama3'] },
      }),
    }),
    ShopModule,
  ],
  providers: [OrdersService],
})
export class AppModule {}

@Injectable()
export class ReportsService {
  @Operator({ description: 'Sales of today' })
  salesToday() {
    return { orders: 3 };
  }
}

const reports = AgentBuilder.create('reports').model('default').tool('salesToday');

@Module({ imports: [AgentModule.forFeature({ agents: [reports], operators: [ReportsService] })] })
export class ReportsModule {}

@Injectable()
export class OfficeService {
  constructor(
    private readonly modules: LazyModuleLoader,
    private readonly agents: AgentLoopService,
  ) {}

  async report(): Promise<string> {
    await this.modules.load(() => ReportsModule);
    const { content } = await this.agents.run('reports', 'How were sales today?');
    return content;
  }
}
