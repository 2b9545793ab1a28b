import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, reasonOf } from '../cli.error.js';

/** What files in the agent language end in. */
export const EXTENSION = /\.(?:agent|bloge)$/;
/** Files that one command takes. */
export const MOST_FILES = 10_000;
const MOST_FOLDERS = 100_000;
/** They hold no files of people, and no end. */
const KERNEL: ReadonlySet<string> = new Set(['/dev', '/proc', '/sys']);

interface Folder {
  readonly path: string;
  /** Its path without links. */
  readonly real: string;
}

/**
 * The agent files in a folder and in those below it, through links too; a folder is looked at once. `node_modules` and
 * folders and files whose names begin with a dot are passed over.
 * @throws CliError if a folder cannot be read, or there are too many
 */
export async function agentFilesBelow(start: string): Promise<readonly string[]> {
  const found: string[] = [];
  const root = { path: start, real: await realpath(start) };
  const seen = new Set([root.real]);
  const folders: Folder[] = [root];
  // Looked at last: what has a path without a link is known by that.
  const links: string[] = [];
  const enter = (folder: Folder): void => {
    if (seen.has(folder.real) || KERNEL.has(folder.real)) return;
    seen.add(folder.real);
    folders.push(folder);
  };
  for (;;) {
    if (found.length > MOST_FILES) throw tooMany(start, MOST_FILES, 'agent files');
    if (seen.size > MOST_FOLDERS) throw tooMany(start, MOST_FOLDERS, 'folders');
    const folder = folders.pop();
    if (folder) {
      for (const entry of await entriesOf(folder)) {
        const path = join(folder.path, entry.name);
        if (entry.isSymbolicLink()) links.push(path);
        else if (entry.isDirectory()) enter({ path, real: join(folder.real, entry.name) });
        else if (entry.isFile() && EXTENSION.test(path)) found.push(path);
      }
      continue;
    }
    const link = links.shift();
    if (link === undefined) return found;
    const target = await stat(link).catch(() => undefined); // it may point at nothing
    if (target?.isDirectory()) enter({ path: link, real: await realpath(link) });
    else if (target?.isFile() && EXTENSION.test(link)) found.push(link);
  }
}

async function entriesOf({ path }: Folder) {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
  } catch (error) {
    throw new CliError(`Cannot read the folder ${path}: ${reasonOf(error)}`);
  }
}

export function tooMany(where: string, most: number, what: string): CliError {
  return new CliError(
    `"${where}" holds more than ${most} ${what}. Name the folders where your agents are, or a pattern.`,
  );
}
