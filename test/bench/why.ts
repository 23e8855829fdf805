import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSqliteLogSync } from '../../src/log/index.ts';
import { projectionsOf } from '../../src/projections/index.ts';
import { median } from './median.ts';
import { grown } from './replay.ts';

const EVENTS = 200_000;
const ROUNDS = 11;
const FLOOR = 4;

/** `grounds why` on a large log against starting Node at all, whole processes in turn; the median of the ratios. */
export async function benchWhy(print: (line: string) => void = console.log): Promise<number | null> {
  const cli = resolve('dist/cli.js');
  if (!existsSync(cli)) {
    print('why: not measured: there is no dist/cli.js (npm run build)');
    return null;
  }
  const folder = mkdtempSync(join(process.env.GROUNDS_BENCH_DIR ?? tmpdir(), 'grounds-bench-'));
  try {
    const file = join(folder, 'large.db');
    await grown(file, resolve('fixtures/transcripts/bank.jsonl'), EVENTS).close();
    const log = openSqliteLogSync({ file });
    const projections = projectionsOf(log);
    projections.catchUp();
    const ids = [...projections.calls({ verdict: 'executable', limit: ROUNDS + 1 })].map(
      (row) => row.call_id,
    );
    await log.close();
    const ratios: number[] = [];
    for (const id of ids) {
      const empty = timed(['-e', '0']);
      ratios.push(timed([cli, 'why', id, '--db', file]) / empty);
    }
    // The first pair warms the disk's cache.
    const ratio = median(ratios.slice(1));
    print(
      `why: on ${EVENTS} events ${ratio.toFixed(1)} times the start of node (at most ${FLOOR}) ${ratio <= FLOOR ? 'holds' : 'MISSED'}`,
    );
    return ratio;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(args: readonly string[]): number {
  const start = process.hrtime.bigint();
  execFileSync(process.execPath, args, { stdio: 'ignore' });
  return Number(process.hrtime.bigint() - start) / 1e6;
}
