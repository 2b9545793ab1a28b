import { formatSource, LineMap } from '@nestor/core/language';
import { CliError } from '../cli.error.js';
import { readAgentFiles, type AgentFile } from '../files/agent-files.js';
import { replaceFile } from '../files/replace-file.js';
import { textOf } from '../files/text-of.js';
import { printableName } from '../printable.js';
import { renderFiles } from '../sources/check-report.js';
import { counted } from '../sources/counted.js';
import type { Terminal } from '../terminal.js';

export interface FormatOptions {
  /** Only tell which files are not formatted. */
  readonly check?: boolean;
}

/**
 * Formats files in place, or stdin to stdout.
 * @returns the exit code: 1 if a file has syntax errors, or with `check` if one is not formatted
 */
export async function format(
  patterns: readonly string[],
  { check = false }: FormatOptions,
  terminal: Terminal,
): Promise<number> {
  if (patterns.includes('-')) {
    if (patterns.length > 1) throw new CliError('- stands for stdin alone: name no files beside it.');
    return formatInput(check, terminal);
  }
  const files = await readAgentFiles(patterns);
  const formatted = files.map((file) => ({ file, text: formattedText(file, terminal) }));
  const changed = formatted.flatMap(({ file: { path, source }, text }) =>
    text === undefined || text === source ? [] : [{ path, text }],
  );
  for (const { path, text } of changed) {
    if (!check) await replaceFile(path, text);
    terminal.out(`${printableName(path)}\n`);
  }
  const what = check ? 'to be formatted' : 'formatted';
  terminal.err(`${changed.length} of ${counted(files.length, 'file')} ${what}\n`);
  const isBroken = formatted.some(({ text }) => text === undefined);
  return isBroken || (check && changed.length > 0) ? 1 : 0;
}

async function formatInput(check: boolean, terminal: Terminal): Promise<number> {
  const source = textOf(await terminal.input(), 'stdin');
  const text = formattedText({ path: 'stdin', source }, terminal);
  if (text === undefined) return 1;
  if (!check) terminal.out(text);
  else if (text !== source) terminal.out('stdin\n');
  return check && text !== source ? 1 : 0;
}

/** Undefined if it has errors, which are told then. */
function formattedText({ path, source }: AgentFile, terminal: Terminal): string | undefined {
  const result = formatSource(source);
  if ('text' in result) return result.text;
  const { diagnostics } = result;
  // Colours are for stdout, and this is stderr.
  terminal.err(renderFiles([{ path, lines: new LineMap(source), diagnostics }], false));
  return undefined;
}
