import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../src/events', import.meta.url));

/** Every module that this one loads at run time, through all that it loads; packages by name. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type\s)[^;]*?from '([^']+)';/gm,
  );
  for (const [, from = ''] of statements) {
    if (from.startsWith('.')) loadedBy(join(dirname(file), from), seen);
    else seen.add(from);
  }
  return seen;
}

const packages = (file: string) => [...loadedBy(join(root, file))].filter((name) => !name.startsWith('/'));

test.each([
  'canonical',
  'content',
  'json',
  'pointer',
  'vocabulary',
  'walk',
  'streams',
  'ingress',
  'upcasters',
])('%s loads no package, so that the gate can hold a copy of it', (name) => {
  expect(packages(`${name}.ts`)).toEqual([]);
});

test('what the other modules load is seen', () => {
  expect(packages('segment.ts')).toEqual(['zod']);
  expect(packages('digest.ts')).toEqual(['node:crypto']);
});

test('chance stands apart from all that must do the same twice', () => {
  const loaded = [...loadedBy(join(root, 'index.ts'))].map((file) => relative(root, file));
  expect(loaded).toContain('registry.ts');
  expect(loaded).not.toContain('random-id.ts');
});
