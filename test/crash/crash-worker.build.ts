import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildModules } from '../support/build-modules.js';

export interface BuiltWorker {
  /** To be removed at the end. */
  readonly directory: string;
  readonly file: string;
}

/**
 * A worker as a plain module.
 * @param name of its file, from this folder
 */
export async function buildWorker(name: string): Promise<BuiltWorker> {
  const worker = fileURLToPath(new URL(name, import.meta.url));
  const directory = await buildModules('crash', { worker });
  return { directory, file: join(directory, 'dist/worker.mjs') };
}
