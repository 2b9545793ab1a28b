import type { INestApplicationContext, Type } from '@nestjs/common';
import type { OperatorDescription } from '@nestor/http';
import { CliError, reasonOf } from '../cli.error.js';
import type { Terminal } from '../terminal.js';
import { HeldLogger } from './held.logger.js';
import { inTime } from './in-time.js';
import { importRootModule } from './root-module.js';

/**
 * Starts the application of a module without listening, reads its operators and closes it. Its model, its journal and
 * its durable runs are left out: it needs no key, opens no agent database and takes over no run.
 * @param file the built file of its root module
 * @param exported the name of the class in it; undefined: the one there is, or `AppModule`
 * @throws CliError if it does not start; what it has logged is told then
 */
export async function operatorsOfModule(
  file: string,
  exported: string | undefined,
  terminal: Terminal,
): Promise<readonly OperatorDescription[]> {
  const logger = new HeldLogger();
  const giveBack = keepStdoutClean();
  try {
    const root = await importRootModule(file, exported);
    return await withApplication(root, logger, (application) => readOperators(application, root));
  } catch (error) {
    if (error instanceof CliError) throw error;
    terminal.err(logger.text);
    throw new CliError(`The application of ${file} does not start: ${reasonOf(error)}`);
  } finally {
    giveBack();
  }
}

async function withApplication<T>(
  root: Type,
  logger: HeldLogger,
  use: (application: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const [{ Test }, { AGENT_DURABILITY, EVENT_JOURNAL_OPTIONS, LLM_PROVIDER }, { ScriptedProvider }] =
    await Promise.all([import('@nestjs/testing'), import('@nestor/agent'), import('@nestor/core')]);
  const application = await inTime(
    Test.createTestingModule({ imports: [root] })
      .setLogger(logger)
      .overrideProvider(LLM_PROVIDER)
      .useValue(new ScriptedProvider([]))
      .overrideProvider(AGENT_DURABILITY)
      .useValue('off')
      .overrideProvider(EVENT_JOURNAL_OPTIONS)
      .useValue({ enabled: false })
      .compile(),
  );
  try {
    await inTime(application.init());
    return await use(application);
  } finally {
    // What went wrong at the start counts, not what then cannot be stopped either.
    await inTime(application.close()).catch(() => {});
  }
}

async function readOperators(
  application: INestApplicationContext,
  root: Type,
): Promise<OperatorDescription[]> {
  const [{ OperatorRegistry }, { describeOperator }] = await Promise.all([
    import('@nestor/core'),
    import('@nestor/http'),
  ]);
  const registry = registered(application, OperatorRegistry);
  if (!registry) {
    throw new CliError(
      `${root.name} imports no AgentModule, or one of another installation: install this command in the application.`,
    );
  }
  return registry
    .names()
    .map((name) => registry.metadata(name))
    .filter(({ kind }) => kind !== 'model')
    .map(describeOperator);
}

function registered<T>(application: INestApplicationContext, type: Type<T>): T | undefined {
  try {
    return application.get(type, { strict: false });
  } catch {
    return undefined; // Nest has no other way to ask
  }
}

/** stdout is for the result: what an application prints goes to stderr. Gives what undoes it. */
function keepStdoutClean(): () => void {
  const { write } = process.stdout;
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return () => {
    process.stdout.write = write;
  };
}
