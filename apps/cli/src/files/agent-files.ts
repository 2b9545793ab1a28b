import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { CliError, reasonOf } from '../cli.error.js';
import { printableName } from '../printable.js';
import { agentFilesBelow, EXTENSION, MOST_FILES, tooMany } from './agent-files-below.js';
import { textOf } from './text-of.js';

/** The largest file that is read, in bytes: as much as an application takes. */
const MOST_BYTES = 5 * 1024 * 1024;
/** Where patterns do not look: that holds below the working directory only, but for those from the root on. */
const PASSED_OVER = ['**/node_modules/**', '**/.git/**', '/dev/**', '/proc/**', '/sys/**'];

export interface AgentFile {
  /** As the user knows it: from the working directory on, if it was given like that. */
  readonly path: string;
  readonly source: string;
}

/**
 * Files in the agent language, by their paths; one that is reached in several ways is there once.
 * @param patterns paths of files and folders, and patterns with `*`, `**`, `?`, `[…]` and `{…}`; `node_modules` is passed over
 * @throws CliError for a pattern without a file, or a file that cannot be read
 */
export async function readAgentFiles(patterns: readonly string[]): Promise<readonly AgentFile[]> {
  const found = (await Promise.all(patterns.map(pathsOf))).flat();
  const files: AgentFile[] = [];
  // One after the other: a process may have only so many files open.
  for (const path of await withoutLinks(found)) files.push(await readAgentFile(path));
  return files;
}

/** @throws CliError if it cannot be read, or is no file. */
export async function readAgentFile(path: string): Promise<AgentFile> {
  try {
    const stats = await stat(path);
    // A pipe would give nothing, and some devices no end.
    if (!stats.isFile()) throw new Error('it is no regular file');
    const { size } = stats;
    if (size > MOST_BYTES) throw new Error(`it has ${size} bytes, and may have ${MOST_BYTES}`);
    return { path, source: textOf(await readFile(path), printableName(path)) };
  } catch (error) {
    throw error instanceof CliError
      ? error
      : new CliError(`Cannot read ${printableName(path)}: ${reasonOf(error)}`);
  }
}

/** Each file once, by the path without a link if there is one. */
async function withoutLinks(paths: readonly string[]): Promise<readonly string[]> {
  const byFile = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const real = await realpath(path).catch(() => resolve(path));
    if (!byFile.has(real) || resolve(path) === real) byFile.set(real, path);
  }
  return [...byFile.values()].toSorted();
}

async function pathsOf(pattern: string): Promise<readonly string[]> {
  const found = (await candidates(pattern)).filter((path) => EXTENSION.test(path));
  if (found.length > MOST_FILES) throw tooMany(pattern, MOST_FILES, 'agent files');
  if (found.length > 0) return found;
  throw new CliError(
    `No .agent or .bloge file fits "${printableName(pattern)}"; it was looked for from ${process.cwd()} on. Correct the path or pattern.`,
  );
}

/** A name of a file or folder is no pattern, whatever signs it holds. */
async function candidates(pattern: string): Promise<readonly string[]> {
  const named = await stat(pattern).catch(() => undefined);
  if (named) return named.isDirectory() ? agentFilesBelow(pattern) : [pattern];
  const { glob } = await import('tinyglobby');
  const found = await glob(pattern.replaceAll(sep, '/'), {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
    ignore: PASSED_OVER,
  });
  return found.filter((path) => !relative(process.cwd(), path).split(sep).includes('node_modules'));
}
