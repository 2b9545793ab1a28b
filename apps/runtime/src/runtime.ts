import type { AddressInfo } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type LanguageModel, openLanguageModel } from './language-model.js';
import { listenError } from './listen.error.js';
import type { RuntimeEnvironment } from './runtime-environment.js';
import { RuntimeModule } from './runtime.module.js';

/** Largest request body in bytes. */
const BODY_LIMIT = 1024 * 1024;

/** A runtime that serves. */
export interface Runtime {
  /** Closing it stops everything, the scripted model included. */
  readonly app: NestExpressApplication;
  /** Without a slash at the end. */
  readonly url: string;
  readonly model: LanguageModel;
}

/**
 * Starts the application and listens. What was started is stopped again when something fails.
 * @throws Error in plain words if the address cannot be listened on.
 */
export async function startRuntime(environment: RuntimeEnvironment, logger: LoggerService): Promise<Runtime> {
  const model = await openLanguageModel(environment);
  let app: NestExpressApplication | undefined;
  try {
    app = await createApplication(environment, model, logger);
    await listen(app, environment, logger);
  } catch (error) {
    await app?.close();
    await model.scripted?.stop();
    throw error;
  }
  return { app, url: urlOf(app, environment.host), model };
}

async function createApplication(
  environment: RuntimeEnvironment,
  model: LanguageModel,
  logger: LoggerService,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(RuntimeModule.register(environment, model), {
    logger,
    abortOnError: false,
    bodyParser: false,
  });
  app.useBodyParser('json', { limit: BODY_LIMIT });
  app.disable('x-powered-by');
  app.enableShutdownHooks();
  return app.init();
}

async function listen(
  app: NestExpressApplication,
  { host, port }: RuntimeEnvironment,
  logger: LoggerService,
): Promise<void> {
  app.useLogger(false); // Nest would log a failure that the caller is told of anyway
  try {
    await app.listen(port, host);
  } catch (error) {
    throw listenError(error, host, port);
  } finally {
    app.useLogger(logger);
  }
}

function urlOf(app: NestExpressApplication, host: string): string {
  const { port } = app.getHttpServer().address() as AddressInfo; // a server that listens on a port has one
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
