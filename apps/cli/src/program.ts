import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { reasonOf, UNUSABLE } from './cli.error.js';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

const EXIT_CODES = `
Exit codes: 0 all is well, 1 errors (or files to be formatted), 2 wrong use, or a file cannot be read or written.`;

/** A command gives its exit code. Each is loaded when it is called. */
type Action = () => Promise<number>;

/**
 * Runs a command line. What goes wrong is told on stderr, in one line.
 * @param args without node and the script
 * @returns the exit code
 */
export async function runCli(args: readonly string[], processTerminal: Terminal): Promise<number> {
  const terminal = withoutEscapes(processTerminal);
  let exitCode = 0;
  const run = async (action: Action): Promise<void> => {
    exitCode = await action();
  };
  try {
    await program(terminal, run).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : UNUSABLE;
    terminal.err(`nestor: ${reasonOf(error)}\n`);
    return UNUSABLE;
  }
}

/** Names of files, agents and operators go into what people are told, and may hold anything. */
function withoutEscapes(terminal: Terminal): Terminal {
  return {
    colours: terminal.colours,
    out: (text) => terminal.out(text),
    err: (text) => terminal.err(printable(text)),
    input: () => terminal.input(),
  };
}

function program(terminal: Terminal, run: (action: Action) => Promise<void>): Command {
  const nestor = new Command('nestor')
    .description('Tools for the agent language of Nestor: files that end in .agent or .bloge.')
    .version(version(), '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
    });
  addCheck(nestor, terminal, run);
  addFormat(nestor, terminal, run);
  addMetadata(nestor, terminal, run);
  addSchema(nestor, terminal, run);
  return nestor;
}

function addCheck(nestor: Command, terminal: Terminal, run: (action: Action) => Promise<void>): void {
  nestor
    .command('check')
    .summary('tell what is wrong with agent files')
    .description('Tells what is wrong with agent files, and where.')
    .argument('<patterns...>', 'files, folders, or patterns such as "agents/**/*.agent"')
    .option('--metadata <file>', 'judge names and inputs of operators by this operator-metadata.json')
    .option('--json', 'print one JSON document')
    .action((patterns: string[], options: { metadata?: string; json?: boolean }) =>
      run(async () => (await import('./commands/check.command.js')).check(patterns, options, terminal)),
    );
}

function addFormat(nestor: Command, terminal: Terminal, run: (action: Action) => Promise<void>): void {
  nestor
    .command('fmt')
    .summary('format agent files')
    .description('Formats agent files in place. Files with syntax errors stay as they are.')
    .argument('<patterns...>', 'files, folders or patterns; - formats stdin to stdout')
    .option('--check', 'only list files that are not formatted; exit code 1 if there are any')
    .action((patterns: string[], options: { check?: boolean }) =>
      run(async () => (await import('./commands/fmt.command.js')).format(patterns, options, terminal)),
    );
}

function addMetadata(nestor: Command, terminal: Terminal, run: (action: Action) => Promise<void>): void {
  nestor
    .command('metadata')
    .summary("write an application's operator-metadata.json")
    .description(
      "Writes what an application's operators say of themselves, for check and schema.\n" +
        'It is started without its database, its model or a port, or asked while it runs.',
    )
    .argument('[module]', 'the built file of its root module, such as dist/app.module.js')
    .option('--url <url>', 'ask a running one, e.g. http://localhost:3000; NESTOR_API_TOKEN is its token')
    .option('--out <file>', 'where to write; - is stdout', 'operator-metadata.json')
    .option('--export <name>', 'the module class in that file, if it exports several')
    .action((module: string | undefined, options: { url?: string; out: string; export?: string }) =>
      run(async () =>
        (await import('./commands/metadata.command.js')).writeMetadata({ module, ...options }, terminal),
      ),
    );
}

function addSchema(nestor: Command, terminal: Terminal, run: (action: Action) => Promise<void>): void {
  nestor
    .command('schema')
    .summary('show what a model is told of the tools')
    .description('Shows, as JSON, what a model is told of the tools of each agent in a file.')
    .argument('<file>', 'an agent file')
    .option('--agent <name>', 'only this agent')
    .option('--metadata <file>', 'what the operators say of themselves, as an operator-metadata.json')
    .action((file: string, options: { agent?: string; metadata?: string }) =>
      run(async () => (await import('./commands/schema.command.js')).showSchema(file, options, terminal)),
    );
}

function version(): string {
  const { version: text }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return text;
}
