import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FrozenGate, freezeGate } from '../../replay/freeze.ts';
import { exitOf, type Gate, gatesNeeded, gatesOf } from '../../replay/index.ts';
import { encode } from '../../src/events/canonical.ts';
import { digestOfBytes } from '../../src/events/digest.ts';
import { GATE_DIGEST } from '../../src/gate-digest.ts';
import { openMemoryLog, type SyncLog } from '../../src/log/index.ts';
import { bank } from '../checklists.ts';
import { freshFiles } from '../log/folder.ts';
import { record, replayed } from './recorded.ts';

const root = resolve(import.meta.dirname, '../..');
const transcript = join(root, 'fixtures/transcripts/bank.jsonl');
const fresh = freshFiles();

const hexOf = (digest: string): string => digest.slice('sha256:'.length);

function folderWith(name: string, code: string): string {
  const dir = fresh(`gates-${hexOf(digestOfBytes(name + code)).slice(0, 8)}`);
  mkdirSync(dir);
  writeFileSync(join(dir, name), code);
  return dir;
}

function recorded(gate: string): SyncLog {
  const log = openMemoryLog();
  record(log, [transcript], bank(), 0, gate);
  return log;
}

describe('the frozen gate', () => {
  let frozen: FrozenGate;
  beforeAll(async () => {
    frozen = await freezeGate(root);
  });

  it('is what GATE_DIGEST names', () => {
    expect(
      GATE_DIGEST,
      'The gate has changed since its digest was written. Run `npm run gate`, and look at what it changes: runs are recorded under this digest.',
    ).toBe(frozen.digest);
  });

  it('has the same bytes each time it is made', async () => {
    expect((await freezeGate(root)).code === frozen.code).toBe(true);
    expect(digestOfBytes(frozen.code)).toBe(frozen.digest);
  });

  it('loads nothing and names no folder', () => {
    expect(frozen.code).not.toMatch(/^\s*import[\s{('"]/m);
    expect(frozen.code).not.toContain(root);
    expect(frozen.code).not.toMatch(/node_modules|#region|sourceMappingURL/);
  });

  it('judges as the sources do: what these recorded, the file replays byte for byte', async () => {
    const module: Gate = await import(
      `data:text/javascript;base64,${Buffer.from(frozen.code).toString('base64')}`
    );
    const log = recorded(GATE_DIGEST);
    const bySource = replayed(log, { all: true });
    const byFile = replayed(log, { all: true, gates: () => module });
    expect(bySource.summary.matched).toBe(5);
    expect(encode(byFile)).toBe(encode(bySource));
  });
});

describe('gates by their digest', () => {
  const refusing = `export const step = () => { throw new Error('no'); };
export const locate = (run, request) => ({ request, by: 'locator', outcome: { said: 'absent' } });
export const isGated = () => true;
`;
  const digest = digestOfBytes(refusing);

  it('a run is replayed with the gate that judged it, found by content', async () => {
    const log = recorded(digest);
    expect([...gatesNeeded(log)]).toEqual([digest]);
    const gates = await gatesOf(
      [fresh('nowhere'), folderWith(`${hexOf(digest)}.mjs`, refusing)],
      gatesNeeded(log),
    );
    const { found, summary } = replayed(log, { gates });
    expect(summary).toMatchObject({ replayed: 5, diverged: 5 });
    expect(found[0]).toMatchObject({ finding: 'LOOKUP_DIFFERS', recomputed: { said: 'absent' } });
  });

  it('what a gate throws is a finding with a code', async () => {
    const log = recorded(digest);
    const { isGated, locate } = await import('../../src/gate/index.ts');
    const gates = (): Gate => ({
      isGated,
      locate,
      step: () => {
        throw new RangeError('in words that differ between engines');
      },
    });
    expect(replayed(log, { gates }).found[0]).toMatchObject({
      finding: 'VERDICT_DIFFERS',
      code: 'gate_threw',
      recomputed: { threw: 'exception' },
    });
  });

  it('where none is shipped it says so, and exits with 3', async () => {
    const log = recorded(digest);
    const { found, summary } = replayed(log, { gates: await gatesOf([], gatesNeeded(log)) });
    expect(found[0]).toMatchObject({ finding: 'GATE_NOT_SHIPPED', recorded: digest });
    expect(summary).toMatchObject({ replayed: 0, gate_not_shipped: 5 });
    expect(exitOf(summary)).toBe(3);
  });

  it('a file that does not hash to its name is never run', async () => {
    const dir = folderWith(`${hexOf(digest)}.mjs`, `${refusing}globalThis.wasRun = true;\n`);
    await expect(gatesOf([dir], [digest])).rejects.toMatchObject({ code: 'replay/gate-altered', exit: 4 });
    expect('wasRun' in globalThis).toBe(false);
  });

  it('a file that holds no gate is refused', async () => {
    const code = 'export const step = 1;\n';
    const other = digestOfBytes(code);
    await expect(gatesOf([folderWith(`${hexOf(other)}.mjs`, code)], [other])).rejects.toMatchObject({
      code: 'replay/gate-unfit',
    });
  });

  it('a digest that is no digest names no file', async () => {
    const gates = await gatesOf([root], ['../package', 'sha256:..']);
    expect(gates('../package')).toBe(null);
  });
});
