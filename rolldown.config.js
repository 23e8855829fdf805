import { existsSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const common = { platform: 'node', tsconfig: false };
/** Packages that the library leaves to whoever installs it. */
const PACKAGES = /^(@[a-z]|[a-z])[^:]*$/;

const entries = {
  index: 'src/index.ts',
  replay: 'replay/index.ts',
  testing: 'src/testing/index.ts',
};

/**
 * The command line is bundled whole but for the native addon, one chunk a command, so that each starts with the code it needs.
 * The library leaves its packages outside, so that a program which uses zod or Kysely itself has them once.
 */
export default defineConfig([
  {
    ...common,
    input: { cli: 'src/cli/main.ts' },
    external: ['better-sqlite3'],
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'cli/[name]-[hash].js',
    },
  },
  {
    ...common,
    input: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && PACKAGES.test(id),
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'lib/[name]-[hash].js',
    },
  },
]);
