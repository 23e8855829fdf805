import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder that comes with the package, whether this runs from its sources or from a bundle at any depth. */
export function packageFolder(name: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, name);
    if (folder === dirname(folder)) return join(import.meta.dirname, name);
  }
}

/** Where the frozen gates of released versions are. */
export const FROZEN_GATES = 'fixtures/gates';
