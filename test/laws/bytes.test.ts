import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Worlds in one digest, about five verdicts each; GROUNDS_FUZZ=n makes it n times as many. */
const WORLDS = 300 * Number(process.env.GROUNDS_FUZZ ?? '1');

let folder = '';
let script = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grounds-bytes-'));
  const entry = join(folder, 'entry.ts');
  script = join(folder, 'bytes.mjs');
  const from = (path: string) => JSON.stringify(resolve(path));
  writeFileSync(
    entry,
    `import { createHash } from 'node:crypto';
     import { encode } from ${from('src/events/canonical.ts')};
     import { drive, step } from ${from('src/gate/index.ts')};
     import { answerIn, worldOf } from ${from('test/laws/worlds.ts')};
     // Numbers of a plain linear generator: the same worlds wherever this runs.
     let state = 20240520;
     const next = () => (state = (state * 48271) % 2147483647);
     const hash = createHash('sha256');
     for (let count = 0; count < ${WORLDS}; count++) {
       const world = worldOf(Array.from({ length: 200 }, next));
       // As a conversation grows: the declarations are read once, the verdicts are many.
       for (let told = 1; told <= world.run.segments.length; told++) {
         const run = { ...world.run, segments: world.run.segments.slice(0, told) };
         hash.update(encode(drive(run, answerIn(world, run)).verdict));
       }
     }
     process.stdout.write(hash.digest('hex'));`,
  );
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
  await bundle.write({ file: script, format: 'esm' });
  await bundle.close();
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function digestUnder(flags: readonly string[], env: Readonly<Record<string, string>>): string {
  return execFileSync(process.execPath, [...flags, script], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  });
}

describe('The bytes of many verdicts', () => {
  let usual = '';
  beforeAll(() => {
    usual = digestUnder([], { TZ: 'UTC', LANG: 'C' });
  }, 120_000);

  test('are a digest at all', () => expect(usual).toMatch(/^[0-9a-f]{64}$/));

  test.each([
    ['another zone', [], { TZ: 'Pacific/Chatham' }],
    ['a locale with its own letters', [], { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ['no compiler', ['--jitless', '--no-expose-wasm'], {}],
    ['no optimisation', ['--no-opt'], {}],
  ] as const)(
    'are the same under %s',
    (_, flags, env) => {
      expect(digestUnder(flags, env)).toBe(usual);
    },
    120_000,
  );
});
