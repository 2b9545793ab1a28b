import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildModules } from './build-modules.js';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export interface BuiltCli {
  /** To be removed at the end. */
  readonly directory: string;
  /** The main file of the command. */
  readonly nestor: string;
  /** The main file of the runtime. */
  readonly runtime: string;
  /** The root module of the support desk. */
  readonly supportDesk: string;
  /** The root module of `durable-app.module.ts`. */
  readonly durableApp: string;
}

/** The command and applications for it as plain modules that share what they import of ours, made from the sources. */
export async function buildCli(): Promise<BuiltCli> {
  const directory = await buildModules('cli', {
    nestor: path('../../apps/cli/src/main.ts'),
    runtime: path('../../apps/runtime/src/main.ts'),
    'support-desk': path('../../apps/support-desk/src/support-desk.application.ts'),
    'durable-app': path('./durable-app.module.ts'),
  });
  // Beside the folder of the code: the command's version, and the agents of the support desk.
  await cp(path('../../apps/cli/package.json'), join(directory, 'package.json'));
  await cp(path('../../apps/support-desk/agents'), join(directory, 'agents'), { recursive: true });
  const file = (name: string): string => join(directory, 'dist', `${name}.mjs`);
  return {
    directory,
    nestor: file('nestor'),
    runtime: file('runtime'),
    supportDesk: file('support-desk'),
    durableApp: file('durable-app'),
  };
}
