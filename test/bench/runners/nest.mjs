// A whole Nest application: boot, discovery of the tools, and an agent asked through AgentLoopService.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentLoopService, AgentModule, Operator } from '@nestor/agent';
import { AgentBuilder } from '@nestor/core';
import { forecastInput } from './forecast-input.mjs';

const MODEL = 'tools-1-1';

export async function create({ baseURL, tools }) {
  const forecasts = tools.map(forecastProvider);
  const agent = AgentBuilder.create('weather').model(MODEL);
  for (const { name } of tools) agent.tool(name);

  class Application {}
  Module({
    imports: [AgentModule.forRoot({ llm: { baseUrl: baseURL }, agents: [agent] })],
    providers: forecasts,
  })(Application);
  const application = await NestFactory.createApplicationContext(Application, { logger: ['error'] });
  const agents = application.get(AgentLoopService);

  return {
    async run(messages, { model }) {
      if (model !== MODEL) throw new Error(`This runner boots an application for ${MODEL} only.`);
      return (await agents.run('weather', messages)).content;
    },
    close: () => application.close(),
  };
}

/** What a class with `@Injectable()` and a method with `@Operator()` compile to. */
function forecastProvider({ name, description, execute }) {
  class Forecast {
    look(input) {
      return execute(input);
    }
  }
  const method = Object.getOwnPropertyDescriptor(Forecast.prototype, 'look');
  Operator({ name, description, input: forecastInput })(Forecast.prototype, 'look', method);
  Injectable()(Forecast);
  return Forecast;
}
