import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { glob } from 'tinyglobby';
import { CliError, reasonOf } from '../cli.error.js';
import { textOf } from './text-of.js';

const EXTENSION = /\.(?:agent|bloge)$/;
const PACKAGES = '**/node_modules/**';

export interface AgentFile {
  /** As the user knows it: from the working directory on, if it was given like that. */
  readonly path: string;
  readonly source: string;
}

/**
 * Files in the agent language, by their paths.
 * @param patterns paths of files and folders, and patterns with `*`, `**`, `?`, `[…]` and `{…}`; `node_modules` is passed over
 * @throws CliError for a pattern without a file, or a file that cannot be read
 */
export async function readAgentFiles(patterns: readonly string[]): Promise<readonly AgentFile[]> {
  const found = (await Promise.all(patterns.map(pathsOf))).flat();
  const paths = new Map(found.map((path) => [resolve(path), path]));
  return Promise.all([...paths.values()].toSorted().map(readAgentFile));
}

/** @throws CliError if it cannot be read. */
export async function readAgentFile(path: string): Promise<AgentFile> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CliError(`Cannot read ${path}: ${reasonOf(error)}`);
  });
  return { path, source: textOf(bytes, path) };
}

async function pathsOf(pattern: string): Promise<string[]> {
  const found = (await candidates(pattern)).filter((path) => EXTENSION.test(path));
  if (found.length > 0) return found;
  throw new CliError(
    `No .agent or .bloge file fits "${pattern}"; it was looked for from ${process.cwd()} on. Correct the path or pattern.`,
  );
}

/** A name of a file or folder is no pattern, whatever signs it holds. */
async function candidates(pattern: string): Promise<string[]> {
  const named = await stat(pattern).catch(() => undefined);
  if (named?.isFile()) return [pattern];
  if (named?.isDirectory()) {
    const below = await glob('**', { cwd: pattern, ignore: PACKAGES });
    return below.map((path) => join(pattern, path));
  }
  const found = await glob(pattern.replaceAll(sep, '/'), {
    absolute: isAbsolute(pattern),
    expandDirectories: false,
    ignore: PACKAGES, // saves looking there, but holds below the working directory only
  });
  return found.filter((path) => !relative(process.cwd(), path).split(sep).includes('node_modules'));
}
