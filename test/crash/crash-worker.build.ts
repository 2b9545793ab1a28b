import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export interface BuiltWorker {
  /** To be removed at the end. */
  readonly directory: string;
  readonly file: string;
}

/**
 * A worker as one plain module: it runs under plain Node, as users run the library.
 * @param name of its file, from this folder
 */
export async function buildWorker(name: string): Promise<BuiltWorker> {
  const directory = await mkdtemp(path('../../node_modules/.nestor-crash-'));
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
      },
    },
    build: {
      ssr: path(name),
      outDir: directory,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'worker.mjs', chunkFileNames: '[name].mjs' } },
    },
  });
  return { directory, file: join(directory, 'worker.mjs') };
}
