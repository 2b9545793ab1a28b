import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildModules } from './build-modules.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export interface BuiltRuntime {
  /** To be removed at the end. */
  readonly directory: string;
  readonly file: string;
}

/** The runtime as plain modules. */
export async function buildRuntime(): Promise<BuiltRuntime> {
  const directory = await buildModules('runtime', { main: path('../../apps/runtime/src/main.ts') });
  // Where the support desk looks for its agents: beside the folder of its code.
  await cp(path('../../apps/support-desk/agents'), join(directory, 'agents'), { recursive: true });
  return { directory, file: join(directory, 'dist/main.mjs') };
}
