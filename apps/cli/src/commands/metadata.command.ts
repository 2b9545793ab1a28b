import { CliError } from '../cli.error.js';
import { replaceFile } from '../files/replace-file.js';
import { printableJson } from '../printable.js';
import { counted } from '../sources/counted.js';
import type { Terminal } from '../terminal.js';
import type { KnownOperator } from '../operators/operator-metadata.js';

export interface MetadataOptions {
  /** The built file of the root module. Either this or `url`. */
  readonly module?: string | undefined;
  /** Where the application runs. */
  readonly url?: string;
  /** The class in `module`, if that is not clear. */
  readonly export?: string;
  /** A file, or `-` for stdout. */
  readonly out: string;
}

/** Writes an application's `operator-metadata.json`. @returns the exit code */
export async function writeMetadata(options: MetadataOptions, terminal: Terminal): Promise<number> {
  const operators = [...(await operatorsOf(options, terminal))];
  operators.sort((a, b) => (a.name < b.name ? -1 : 1));
  const text = printableJson(operators);
  if (options.out === '-') {
    terminal.out(text);
  } else {
    await replaceFile(options.out, text);
    terminal.err(`${counted(operators.length, 'operator')} in ${options.out}\n`);
  }
  return 0;
}

async function operatorsOf(
  { module, url, export: exported }: MetadataOptions,
  terminal: Terminal,
): Promise<readonly KnownOperator[]> {
  if (url !== undefined && module === undefined) {
    const { askForOperators } = await import('../operators/running.application.js');
    return askForOperators(url, process.env['NESTOR_API_TOKEN']?.trim() || undefined);
  }
  if (module === undefined || url !== undefined) {
    throw new CliError('Give either the built file of the root module, or --url of a running application.');
  }
  const { operatorsOfModule } = await import('../operators/module.application.js');
  return operatorsOfModule(module, exported, terminal);
}
