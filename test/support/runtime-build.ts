import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export interface BuiltRuntime {
  /** To be removed at the end. */
  readonly directory: string;
  readonly file: string;
}

/** The runtime's main file and what it imports of ours as plain modules, made from the sources. */
export async function buildRuntime(): Promise<BuiltRuntime> {
  const directory = await mkdtemp(path('../../node_modules/.nestor-runtime-'));
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
    build: {
      ssr: path('../../apps/runtime/src/main.ts'),
      outDir: join(directory, 'dist'),
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'main.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  // Where the support desk looks for its agents: beside the folder of its code.
  await cp(path('../../apps/support-desk/agents'), join(directory, 'agents'), { recursive: true });
  return { directory, file: join(directory, 'dist/main.mjs') };
}
