import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is gone after the tests of the file; gives a fresh path on each call. */
export function freshFiles(): (name?: string) => string {
  const dir = mkdtempSync(join(tmpdir(), 'grounds-log-'));
  let count = 0;
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return (name) => join(dir, name ?? `${count++}.db`);
}
