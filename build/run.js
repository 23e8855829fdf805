import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Runs a TypeScript file of this project: `node build/run.js test/bench/log.ts`. Node 20 reads no TypeScript, so it is
 * bundled first, with packages left outside, into the folder of the packages (from where they are found).
 */
const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node build/run.js <file.ts> [arguments]');
  process.exit(2);
}
const folder = mkdtempSync(join(import.meta.dirname, '..', 'node_modules', '.run-'));
try {
  const out = join(folder, 'run.js');
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
  });
  await bundle.write({ file: out, format: 'esm', sourcemap: true, codeSplitting: false });
  execFileSync(process.execPath, ['--enable-source-maps', '--expose-gc', out, ...args], { stdio: 'inherit' });
} catch (error) {
  if (typeof error.status !== 'number') throw error;
  process.exitCode = error.status;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
