import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import { ProblemFilter } from '@nestor/http';
import { SupportDeskApplication } from './support-desk.application.js';

const logger = new Logger('SupportDesk');
try {
  const app = await NestFactory.create(SupportDeskApplication, { abortOnError: false });
  app.enableShutdownHooks();
  app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
  await app.listen(port(process.env.PORT ?? '3000'), '127.0.0.1');
  logger.log(`Ask with POST ${await app.getUrl()}/support {"message": "..."}`);
} catch (error) {
  logger.fatal(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function port(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new Error(`PORT is "${value}"; it must be a whole number from 0 to 65535.`);
}
