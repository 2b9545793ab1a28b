import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Builds sources as plain modules, which run under plain Node as users run the libraries: `dist/<name>.mjs` for each
 * entry. What they import of ours is made from the sources too, and shared. Gives the folder, to be removed at the end.
 * @param name of the folder
 * @param entries the files by the names they get
 */
export async function buildModules(name: string, entries: Readonly<Record<string, string>>): Promise<string> {
  // Below node_modules, so that packages are found from there.
  const directory = await mkdtemp(path(`../../node_modules/.nestor-${name}-`));
  await build({
    configFile: false,
    logLevel: 'error',
    // As the tests themselves are compiled: Nest's constructor injection needs decorator metadata.
    oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
    resolve: {
      alias: {
        // Before the package itself: the first alias that is a prefix counts.
        '@nestor/core/language': path('../../libs/core/src/language.ts'),
        '@nestor/core': path('../../libs/core/src/index.ts'),
        '@nestor/agent': path('../../libs/agent/src/index.ts'),
        '@nestor/typeorm': path('../../libs/typeorm/src/index.ts'),
        '@nestor/http': path('../../libs/http/src/index.ts'),
        '@nestor/support-desk': path('../../apps/support-desk/src/index.ts'),
      },
    },
    // The root has another version than the command line.
    ssr: { noExternal: ['commander'] },
    build: {
      ssr: true,
      outDir: join(directory, 'dist'),
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { ...entries },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        // Else an entry may lose its exports to another that imports it.
        preserveEntrySignatures: 'strict',
      },
    },
  });
  return directory;
}
