import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll } from 'vitest';

/**
 * A program of the tests for a process of its own: Node 20 runs no TypeScript, so it is bundled when it is first asked for,
 * with the packages beside it. Any user may run it; it is gone after the tests of the file. `whole`: with the packages in it,
 * but for the native one, so that what is started many times starts fast.
 */
export function bundled(entry: string, options: { readonly whole?: boolean } = {}): () => Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'grounds-child-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  let built: Promise<string> | undefined;
  const build = async (): Promise<string> => {
    const file = join(dir, basename(entry, '.ts').concat('.mjs'));
    const external = options.whole === true ? /^better-sqlite3$/ : /^[^./]/;
    const bundle = await rolldown({ input: entry, platform: 'node', external });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    await bundle.close();
    symlinkSync(resolve(import.meta.dirname, '../node_modules'), join(dir, 'node_modules'));
    chmodSync(dir, 0o755);
    return file;
  };
  return () => {
    built ??= build();
    return built;
  };
}
