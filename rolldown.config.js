import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const common = { platform: 'node', tsconfig: false };
/** Packages that the library leaves to whoever installs it. */
const PACKAGES = /^(@[a-z]|[a-z])[^:]*$/;

/** The gateway is a published entry with packages of its own (the MCP SDK): the command loads that one, and only when it is run. */
const gatewayOutside = {
  name: 'gateway-outside',
  resolveId: (source) => (source.endsWith('/mcp/index.ts') ? { id: '../mcp.js', external: true } : null),
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
    resolve: { alias: { 'node:child_process': join(import.meta.dirname, 'build/no-child-process.js') } },
    plugins: [gatewayOutside],
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'cli/[name].js',
      // Fewer bytes to read at each start; names stay as they are, so that --stack can be read.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      codeSplitting: {
        includeDependenciesRecursively: false,
        // A file costs as much as many lines: what nearly every command needs is in one, what few need stays out of it.
        groups: [
          { name: 'zod', test: /node_modules.zod/, priority: 3 },
          { name: 'yaml', test: /node_modules.yaml/, priority: 3 },
          {
            name: 'base',
            test: /src.errors|src.events.(canonical|streams|pointer|content|digest|json|vocabulary)\.ts/,
            priority: 3,
          },
          { name: 'log', test: /src.log.|node_modules.kysely/, priority: 2 },
          {
            name: 'gate',
            test: /src.gate|node_modules.(@cfworker|@marcbachmann)|replay.(difference|gates|resolve|run)\.ts/,
            priority: 2,
          },
        ],
      },
    },
  },
  {
    ...common,
    input: {
      index: 'src/index.ts',
      replay: 'replay/index.ts',
      testing: 'src/testing/index.ts',
      mcp: 'src/mcp/index.ts',
    },
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && PACKAGES.test(id),
    output: {
      dir: 'dist',
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'lib/[name]-[hash].js',
    },
  },
]);
