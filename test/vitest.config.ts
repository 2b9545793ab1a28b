import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default defineConfig({
  root: source(''),
  // Nest's constructor injection needs decorator metadata; unknown keys here are ignored without a word.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: {
    alias: {
      // Before the package itself: the first alias that is a prefix counts.
      '@nestor/core/language': source('libs/core/src/language.ts'),
      '@nestor/core': source('libs/core/src/index.ts'),
      '@nestor/agent/testing': source('libs/agent/src/testing/index.ts'),
      '@nestor/agent': source('libs/agent/src/index.ts'),
      '@nestor/typeorm': source('libs/typeorm/src/index.ts'),
      '@nestor/http': source('libs/http/src/index.ts'),
      '@nestor/support-desk': source('apps/support-desk/src/index.ts'),
    },
  },
  test: {
    include: ['libs/*/src/**/*.spec.ts', 'apps/*/src/**/*.spec.ts', 'test/**/*.spec.ts'],
    isolate: false,
    setupFiles: [source('test/support/setup.ts')],
    testTimeout: 30_000,
    restoreMocks: true,
  },
});
