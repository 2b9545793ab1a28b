import { Injectable, Logger, Module } from '@nestjs/common';
import { AgentModule, Operator } from '@nestor/agent';

/** An operator of an application that talks, and leaves a timer running when it is closed. */
@Injectable()
export class Clock {
  constructor() {
    setInterval(() => {}, 60_000);
    process.stdout.write('printed at the start\n');
    new Logger('Clock').log('logged at the start');
  }

  @Operator({ description: 'What time it is', approval: true })
  now(): string {
    return new Date(0).toISOString();
  }
}

/** Needs a database, and a model it has no key for. */
@Module({
  imports: [
    AgentModule.forRoot({
      durability: 'run',
      eventJournal: { enabled: true },
      database: { url: 'sqlite:data/agent.db' },
      llm: { baseUrl: 'https://model.example' },
    }),
  ],
  providers: [Clock],
})
export class AppModule {}

/** Cannot start. */
@Module({
  imports: [AgentModule.forRoot()],
  providers: [
    {
      provide: 'broken',
      useFactory: () => {
        new Logger('Broken').warn('logged before it broke');
        throw new Error('it is broken');
      },
    },
  ],
})
export class BrokenModule {}

/** Has no agents. */
@Module({ providers: [] })
export class PlainModule {}
