import { Module, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AgentModule } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { AgentHttpModule, ProblemFilter } from '@nestor/http';

const support = AgentBuilder.create('support').model('default').build();

@Module({ imports: [AgentModule.forRoot({ agents: [support] }), AgentHttpModule] })
export class AppModule {}

export function useProblems(app: INestApplication): void {
  app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
}
