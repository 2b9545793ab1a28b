import 'reflect-metadata';
import { ConsoleLogger } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { parseRuntimeEnvironment } from './runtime-environment.js';
import { startRuntime } from './runtime.js';
import { startUpReport } from './start-up-report.js';

try {
  await ConfigModule.forRoot(); // puts what stands in .env into process.env
  const environment = parseRuntimeEnvironment(process.env);
  const logger = new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'] });
  const runtime = await startRuntime(environment, logger);
  process.stdout.write(startUpReport(environment, runtime));
  logger.setLogLevels(['log', 'warn', 'error', 'fatal']); // booting is over: from here on lines are about runs
} catch (error) {
  process.stderr.write(`Nestor cannot start. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
