import { randomUUID } from 'node:crypto';
import { access, chmod, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError, reasonOf } from '../cli.error.js';

/**
 * Writes a file, new or not, in one step: whoever reads it meanwhile gets the old text or the new one. Its mode stays,
 * and a link stays a link.
 * @throws CliError if it cannot be written; it is as it was then
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  try {
    await replace(await realpath(path).catch(() => path), text);
  } catch (error) {
    throw new CliError(`Cannot write ${path}: ${reasonOf(error)}`);
  }
}

async function replace(path: string, text: string): Promise<void> {
  const old = await stat(path).catch(() => undefined);
  // The folder's owner could replace it all the same.
  if (old) await access(path, constants.W_OK);
  // Without the file's own name, which may be as long as a name can be.
  const draft = join(dirname(path), `.nestor-${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    if (old) await chmod(draft, old.mode & 0o7777);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
