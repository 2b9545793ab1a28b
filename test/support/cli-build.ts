import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

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
  const directory = await mkdtemp(path('../../node_modules/.nestor-cli-'));
  await build({
    configFile: false,
    logLevel: 'error',
    // As the tests themselves are compiled: Nest's constructor injection needs decorator metadata.
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    resolve: {
      alias: {
        '@nestor/core': path('../../libs/core/src/index.ts'),
        '@nestor/agent': path('../../libs/agent/src/index.ts'),
        '@nestor/typeorm': path('../../libs/typeorm/src/index.ts'),
        '@nestor/http': path('../../libs/http/src/index.ts'),
        '@nestor/support-desk': path('../../apps/support-desk/src/index.ts'),
      },
    },
    // The root has another version than the command.
    ssr: { noExternal: ['commander'] },
    build: {
      ssr: true,
      outDir: join(directory, 'dist'),
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: {
          nestor: path('../../apps/cli/src/main.ts'),
          runtime: path('../../apps/runtime/src/main.ts'),
          'support-desk': path('../../apps/support-desk/src/support-desk.application.ts'),
          'durable-app': path('./durable-app.module.ts'),
        },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        // Else an entry may lose its exports to another that imports it.
        preserveEntrySignatures: 'strict',
      },
    },
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
