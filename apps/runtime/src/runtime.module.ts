import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { AgentModule } from '@nestor/agent';
import { AgentHttpModule, ProblemFilter, requestCallerCodec } from '@nestor/http';
import { SupportDeskModule } from '@nestor/support-desk';
import { ApiTokenGuard } from './api-token.guard.js';
import type { LanguageModel } from './language-model.js';
import { LoopbackOnlyGuard } from './loopback-only.guard.js';
import type { RuntimeEnvironment } from './runtime-environment.js';

export const SCRIPTED_MODEL = Symbol('ScriptedModel');

/** The configured application: agents, their HTTP interface, and the support desk as an example. */
@Module({})
export class RuntimeModule {
  static register(environment: RuntimeEnvironment, { llm, scripted }: LanguageModel): DynamicModule {
    const { databaseUrl, leaseMs, agentsDirectory } = environment;
    const providers: Provider[] = [
      { provide: APP_GUARD, useValue: guardFor(environment) },
      // Global, because a body that is too large or no JSON fails before a controller is reached.
      { provide: APP_FILTER, useClass: ProblemFilter },
    ];
    // As a provider it takes part in the shutdown: Nest stops it after the server and the runs.
    if (scripted) providers.push({ provide: SCRIPTED_MODEL, useValue: scripted });
    return {
      module: RuntimeModule,
      imports: [
        ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true }),
        AgentModule.forRoot({
          llm,
          agents: agentsDirectory === undefined ? [] : [`${agentsDirectory}/*.agent`],
          durability: 'run',
          eventJournal: { enabled: true },
          database: { url: databaseUrl },
          caller: requestCallerCodec,
          ...(leaseMs !== undefined && { leaseMs }),
        }),
        AgentHttpModule,
        SupportDeskModule,
      ],
      providers,
    };
  }
}

function guardFor({ apiToken }: RuntimeEnvironment): ApiTokenGuard | LoopbackOnlyGuard {
  return apiToken === undefined ? new LoopbackOnlyGuard() : new ApiTokenGuard(apiToken);
}
